//! The truth of a log: every row's input is decoded from its bytes, as the target did, and every verdict is held against
//! what should have come out.

use crate::subject::{Holds, Subject};
use arbitrary::Unstructured;
use bugornot::{
    Input, Output, Verdict,
    log::{Log, Row},
};

/// What is true of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogTruth {
    /// Rows.
    pub rows: u64,
    /// Rows whose input gives another output than the original, where that can be said.
    pub in_region: Option<u64>,
    /// The cells, as the log has them.
    pub cells: Vec<CellTruth>,
}

/// What is true of one cell of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellTruth {
    /// The function.
    pub function: String,
    /// The relation.
    pub relation: String,
    /// When the relation holds for the original: `always`, `never` or `conditional`.
    pub holds: &'static str,
    /// Rows that held.
    pub held: u64,
    /// Rows that were violated.
    pub violated: u64,
    /// Rows that were violated, or in which the function panicked, and that should have held.
    pub wrong: u64,
    /// Rows that held and should have been violated.
    pub masked: u64,
    /// Rows in which the function panicked, or ended the process.
    pub panicked: u64,
    /// Rows in which the harness panicked.
    pub harness_panicked: u64,
}

impl CellTruth {
    /// Whether anything in the cell is a bug of the function.
    pub fn is_bug(&self) -> bool {
        self.wrong > 0
    }
}

/// The truth of a log of this version.
pub(crate) fn of_log<In: Input, Out: Output>(
    subject: &Subject<In, Out>,
    version: u32,
    log: &Log,
) -> Result<LogTruth, String> {
    let version = subject.versions.iter().find(|known| known.number == version);
    let region = version.and_then(|version| version.region);
    let mut truth = LogTruth { in_region: region.map(|_| 0), ..LogTruth::default() };
    for segment in &log.segments {
        let header = segment.header();
        if header.suite != subject.name {
            return Err(format!("`{}` is a log of `{}`", segment.path().display(), header.suite));
        }
        let cells: Option<Vec<&Holds<In>>> =
            (0..header.cells.len()).map(|cell| subject.holds(&header.cell_name(cell))).collect();
        let cells = cells.ok_or("the log has a cell that the subject does not know: build the target again")?;
        truth.cells.resize_with(cells.len(), CellTruth::default);
        for (cell, (holds, &(function, relation))) in truth.cells.iter_mut().zip(cells.iter().zip(&header.cells)) {
            cell.function.clone_from(&header.functions[usize::from(function)]);
            cell.relation.clone_from(&header.relations[usize::from(relation)].name);
            cell.holds = holds.word();
        }
        for row in segment.rows().map_err(|error| error.to_string())? {
            let input = subject.decode(&row.bytes);
            let is_in_region = input.as_ref().zip(region).is_some_and(|(input, region)| region(input));
            truth.rows += 1;
            truth.in_region = truth.in_region.map(|count| count + u64::from(is_in_region));
            for ((cell, holds), verdict) in truth.cells.iter_mut().zip(&cells).zip(row.verdicts.iter()) {
                cell.count(*verdict, input.as_ref().is_some_and(|input| holds.at(input)));
            }
        }
    }
    Ok(truth)
}

/// Visits every row of a log, and says whether its input is one that this version gives another output for.
pub(crate) fn visit_region<In: Input, Out: Output>(
    subject: &Subject<In, Out>,
    version: u32,
    log: &Log,
    visit: &mut dyn FnMut(&Row, bool),
) -> Result<(), String> {
    let version = subject.versions.iter().find(|known| known.number == version);
    let region = version.and_then(|version| version.region).ok_or("this version has no region")?;
    for segment in &log.segments {
        for row in segment.rows().map_err(|error| error.to_string())? {
            if let Some(input) = subject.decode(&row.bytes) {
                visit(&row, region(&input));
            }
        }
    }
    Ok(())
}

impl CellTruth {
    fn count(&mut self, verdict: Option<Verdict>, should_hold: bool) {
        match verdict {
            Some(Verdict::Held) => {
                self.held += 1;
                self.masked += u64::from(!should_hold);
            }
            Some(Verdict::Violated) => {
                self.violated += 1;
                self.wrong += u64::from(should_hold);
            }
            Some(Verdict::SourcePanicked | Verdict::FollowUpPanicked | Verdict::Died) => {
                self.panicked += 1;
                // A panic in place of a legitimate violation is a bug that other cells show.
                self.wrong += u64::from(should_hold);
            }
            Some(Verdict::TransformPanicked) => self.harness_panicked += 1,
            Some(Verdict::NotApplicable | Verdict::Incomparable) | None => {}
        }
    }
}

impl<In: Input, Out: Output> Subject<In, Out> {
    /// The input that a target judges for these bytes: the subjects have no parameters, so all bytes are the input's.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Option<In> {
        In::arbitrary_take_rest(Unstructured::new(bytes)).ok().map(self.domain)
    }
}
