//! Holds the verdicts of a suite against what the table at its top says.
//!
//! While a target runs, panics are silent in all threads: `cargo test -- --test-threads=1` shows what failed.

use bugornot::{
    Input, Output, Suite, Verdict,
    engine::{Builtin, Execute, Facts, Settings, Step, Target, Until},
    log::Phase,
};
use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

/// Inputs that are drawn uniformly; those that the built-in engine found worth keeping come on top.
const UNIFORM: usize = 2000;
const GUIDED: u64 = 5000;
const LONGEST: usize = 48;

/// One verdict, and all that the table may look at.
pub struct Case<'run, In> {
    /// `function x relation`
    pub cell: &'run str,
    /// The source input, in the domain.
    pub input: &'run In,
    /// The suite's only constant.
    pub k: i64,
    /// The bytes of the input, which parameters are drawn from first.
    pub bytes: &'run [u8],
}

/// Held or violated.
pub fn held_if(holds: bool) -> Verdict {
    if holds { Verdict::Held } else { Verdict::Violated }
}

/// Judges pseudo-random inputs and holds every verdict against the truth. The cells that both held and were violated
/// have to be those that are named: a condition that no input puts to the test is not known to be true.
pub fn check<In: Input, Out: Output>(
    suite: fn(&mut Suite<In, Out>),
    conditional: &[&str],
    truth: impl Fn(&Case<In>) -> Verdict,
) {
    let mut seen = BTreeSet::new();
    for seed in 0..3 {
        // The last assumption sees the input as it is judged.
        let judged: Rc<RefCell<Option<In>>> = Rc::default();
        let slot = judged.clone();
        let declare = |declared: &mut Suite<In, Out>| {
            suite(declared);
            declared.assume(move |input| {
                *slot.borrow_mut() = Some(input.clone());
                true
            });
        };
        let facts = Facts { debug_assertions: true, overflow_checks: true, manifest: env!("CARGO_MANIFEST_DIR") };
        let mut target = Target::new("suite", declare, Settings::new(None, seed), &facts).unwrap();
        let k = target.header().constants.first().and_then(|(_, k)| k.integer()).unwrap_or_default() as i64;
        let mut engine = Builtin::new(seed, Vec::new());
        engine.fuzz(&mut target, Until::Runs(GUIDED));
        for bytes in engine.corpus().iter().cloned().chain(uniform(seed)) {
            if target.step(&bytes, Phase::Replay) == Step::Rejected {
                continue;
            }
            let input = judged.take().expect("it was judged");
            for (cell, verdict) in target.verdicts().into_iter().enumerate() {
                let cell = target.header().cell_name(cell);
                let expected = truth(&Case { cell: &cell, input: &input, k, bytes: &bytes });
                assert_eq!(verdict, expected, "{cell}, k = {k}, bytes {bytes:?}");
                seen.insert((cell, verdict));
            }
        }
    }
    let held = |cell: &str| seen.contains(&(cell.to_owned(), Verdict::Held));
    let both: BTreeSet<&str> = seen
        .iter()
        .filter(|(cell, verdict)| *verdict == Verdict::Violated && held(cell))
        .map(|(cell, _)| cell.as_str())
        .collect();
    assert_eq!(both, conditional.iter().copied().collect());
}

/// Bytes that follow from the seed alone; every other time all are small, so that fields coincide.
fn uniform(seed: u64) -> impl Iterator<Item = Vec<u8>> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..UNIFORM).map(move |round| {
        let length = usize::from(next()) % LONGEST;
        (0..length).map(|_| if round % 2 == 0 { next() } else { next() & 3 }).collect()
    })
}
