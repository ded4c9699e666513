//! Tells apart what must not be added up: the segments of different suites, constants or builds in one log.

use crate::log::{Header, Log, Segment, codec};
use std::{fs, sync::Arc, time::SystemTime};

/// The segments of a log that can be added up: one suite, the same constants, the same build.
#[derive(Debug)]
pub struct Campaign {
    /// What the segments say about themselves; the seed and the version are those of one of them.
    pub header: Arc<Header>,
    /// Its segments.
    pub segments: Vec<Segment>,
    /// When one of them was last written.
    pub written: SystemTime,
}

/// Whether two segments can be added up.
pub fn is_same_campaign(one: &Header, other: &Header) -> bool {
    (&one.suite, &one.functions, &one.relations, &one.cells)
        == (&other.suite, &other.functions, &other.relations, &other.cells)
        && (&one.constants, &one.build) == (&other.constants, &other.build)
        && (&one.parameters, &one.features) == (&other.parameters, &other.features)
}

/// Parts a log into campaigns, in an order that copying or renaming files does not change.
pub fn campaigns(log: Log) -> Vec<Campaign> {
    let mut campaigns: Vec<Campaign> = Vec::new();
    for segment in log.segments {
        let modified = fs::metadata(segment.path()).and_then(|metadata| metadata.modified());
        let written = modified.unwrap_or(SystemTime::UNIX_EPOCH);
        match campaigns.iter_mut().find(|campaign| is_same_campaign(&campaign.header, segment.header())) {
            Some(campaign) => {
                campaign.written = campaign.written.max(written);
                if key(segment.header()) < key(&campaign.header) {
                    campaign.header = segment.header().clone();
                }
                campaign.segments.push(segment);
            }
            None => campaigns.push(Campaign { header: segment.header().clone(), segments: vec![segment], written }),
        }
    }
    campaigns.sort_by_cached_key(|campaign| key(&campaign.header));
    campaigns
}

fn key(header: &Header) -> (String, Vec<u8>) {
    (header.suite.clone(), codec::encode(header))
}
