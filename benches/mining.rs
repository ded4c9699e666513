//! Mining against other miners, on the same tables, in the same run: processor seconds of one thread, ours as the median
//! of 7 passes, a peer's of one (the `fp-growth` crate's are seconds on the clock).
//!
//! Asked for: all rules whose consequence is a verdict, with at most 3 items on the left side, support 0.2 and confidence
//! 0.99, on tables that violate when `a < b`, with one verdict in a thousand flipped. Rule sets and counts have to be the
//! same as the peer's. Everyone loads the same file of codes, one byte per cell:
//! - bugornot makes bit columns of it;
//! - the Python peers read it with numpy and make what their functions take: lists of numbers, tuples, or a data frame.
//!
//! PyFIM runs as its best algorithm, which is found on a tenth of the rows.
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

mod measure;
#[path = "measure/peers.rs"]
mod peers;
#[path = "measure/tables.rs"]
mod tables;

use bugornot::mine::apriori::{Thresholds, verdict_rules};
use measure::{grouped, head, median, quick_or, row, run_timed, timed};
use peers::{Peers, Told, Wanted};
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::Command,
};
use tables::{Plan, Truth, column_names, read_codes, write_codes, write_csv};

const WANTED: Wanted = Wanted { min_support: 0.2, min_confidence: 0.99, max_len: 4 };
const PYFIM: [&str; 3] = ["pyfim-apriori", "pyfim-eclat", "pyfim-fpgrowth"];

fn plan(width: usize, rows: usize) -> Plan {
    Plan { truth: Truth::Less, width, rows, noise: 0.001, seed: 1 }
}

/// What bugornot takes, in seconds, and its rules as the peers write them.
struct Ours {
    load: f64,
    mine: f64,
    rules: String,
}

fn ours(plan: Plan, codes: &Path) -> Ours {
    let thresholds =
        Thresholds { min_support: WANTED.min_support, min_confidence: WANTED.min_confidence, max_len: WANTED.max_len };
    let (mut loading, mut mining, mut rules) = (Vec::new(), Vec::new(), String::new());
    for _ in 0..quick_or(1, 7) {
        let (table, load) = timed(|| read_codes(plan, codes).expect("the file of codes can be read"));
        let (found, mine) = timed(|| verdict_rules(&table, &thresholds));
        loading.push(load.as_secs_f64());
        mining.push(mine.as_secs_f64());
        rules.clear();
        for rule in found {
            let verdict = table.attributes.items() + usize::from(!rule.is_violated);
            let items = rule.when.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
            writeln!(rules, "{verdict} {items} {} {}", rule.counts.both, rule.counts.when).expect("a string takes it");
        }
    }
    Ours { load: median(&mut loading), mine: median(&mut mining), rules }
}

/// A file of codes that is made once.
fn codes(plan: Plan, folder: &Path) -> PathBuf {
    let path = folder.join(format!("{}x{}.codes", plan.rows, plan.width));
    if !path.exists() {
        write_codes(plan, &path).expect("the file of codes can be written");
    }
    path
}

fn check(peer: &str, told: &Told, ours: &Ours) {
    assert_eq!(told.rules, ours.rules, "{peer} has other rules");
    assert!(!ours.rules.is_empty(), "there are rules");
}

fn seconds(time: f64) -> String {
    format!("{time:.3}")
}

fn line(peer: &str, plan: Plan, told: &Told, ours: &Ours, aim: &str) {
    let all = ours.load + ours.mine;
    println!(
        "{}",
        row(&[
            &peer,
            &format!("{} x {}", grouped(plan.rows as f64), plan.width),
            &told.found,
            &seconds(told.load),
            &seconds(told.mine),
            &seconds(ours.load),
            &seconds(ours.mine),
            &format!("{:.0}", (told.load + told.mine) / all),
            &format!("{:.0}", told.mine / all),
            &aim,
        ])
    );
}

fn against_pyfim(peers: &Peers, folder: &Path) {
    for (width, aim) in [(20, "15"), (40, "50"), (60, "300")] {
        let rows = quick_or(20_000, 1_000_000);
        let (few, many) = (plan(width, rows / 10), plan(width, rows));
        let times = PYFIM.map(|peer| (peer, peers.run(peer, few, &codes(few, folder), WANTED).mine));
        let best = times.into_iter().min_by(|one, other| one.1.total_cmp(&other.1)).map_or(PYFIM[2], |best| best.0);
        let path = codes(many, folder);
        let told = peers.run(best, many, &path, WANTED);
        let ours = ours(many, &path);
        check(best, &told, &ours);
        line(best, many, &told, &ours, aim);
    }
}

fn against_others(peers: &Peers, folder: &Path) {
    let plan = plan(20, quick_or(5_000, 100_000));
    let path = codes(plan, folder);
    let ours = ours(plan, &path);
    for (peer, aim) in [("efficient-apriori", "1000"), ("mlxtend", "")] {
        let told = peers.run(peer, plan, &path, WANTED);
        check(peer, &told, &ours);
        line(peer, plan, &told, &ours, aim);
    }
    let told = peers.run_fp_growth(plan, &path, WANTED);
    line("fp-growth crate (all sets, no rules)", plan, &told, &ours, "");
}

fn with_peers(peers: &Peers, folder: &Path) {
    println!("`bugornot mine` and efficient-apriori: {}\n", peers.agree(quick_or(40, 600)));
    let names = ["peer", "rows x items", "found", "its loading, s", "its mining, s", "our loading, s", "our mining, s"];
    let names = [&names[..], &["times faster", "times faster than its mining alone", "aim"]].concat();
    println!("{}", head(&names));
    against_others(peers, folder);
    against_pyfim(peers, folder);
    println!();
}

/// The whole program on a CSV file, where reading text is nearly all there is to do.
fn csv(folder: &Path) {
    println!("{}", head(&["`bugornot mine --csv`", "MB", "s", "MB per s"]));
    for width in [20, 40, 60] {
        let plan = plan(width, quick_or(20_000, 1_000_000));
        let path = folder.join("table.csv");
        write_csv(plan, &path).expect("the CSV file can be written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_bugornot"));
        command.arg("mine").arg("--csv").arg(&path).args(["--items", &column_names(width), "--verdict", "verdict"]);
        command.args(["--min-support", "0.2", "--min-confidence", "0.99", "--max-len", "4"]);
        let (is_done, time) = run_timed(&mut command, folder);
        assert!(is_done, "{command:?} failed");
        let megabytes = path.metadata().map_or(0.0, |file| file.len() as f64 / 1e6);
        let time = time.as_secs_f64();
        let size = format!("{} x {width}", grouped(plan.rows as f64));
        println!("{}", row(&[&size, &format!("{megabytes:.0}"), &seconds(time), &format!("{:.0}", megabytes / time)]));
    }
    println!();
}

/// How time grows, for ourselves.
fn growth(folder: &Path) {
    println!("{}", head(&["rows x items", "rules", "loading, s", "mining, s"]));
    for rows in [10_000, 100_000, 1_000_000, 10_000_000].into_iter().take(quick_or(2, 4)) {
        for width in [20, 40, 60] {
            let plan = plan(width, rows);
            let path = codes(plan, folder);
            let ours = ours(plan, &path);
            let size = format!("{} x {width}", grouped(rows as f64));
            println!("{}", row(&[&size, &ours.rules.lines().count(), &seconds(ours.load), &seconds(ours.mine)]));
            std::fs::remove_file(path).expect("it was made here");
        }
    }
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    match Peers::install() {
        Ok(peers) => with_peers(&peers, folder.path()),
        Err(error) => println!("no peers to compare with: {error}\n"),
    }
    csv(folder.path());
    growth(folder.path());
}
