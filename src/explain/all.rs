//! All cells of a campaign, with all cores; what one scope does not explain is tried in the next.

use super::{
    Condition, Exceptions, Explained, MAX_PARTIAL, are_few, explain, narrow::narrow_all, sampled::Sampled, usable,
    weights,
};
use crate::{
    Verdict,
    clean::{Campaign, Cleaned, Counts},
    feature::{Frame, Literal, Look, Scope},
    log::Row,
    mine::condition::{Reason, is_pure},
};
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// How often a condition that some row outside the working set contradicts is looked for again.
const ROUNDS: usize = 3;
/// How long a condition over follow-ups, and one over outputs may be: with outputs at hand, a long one can say anything.
const MOST_BEYOND: (usize, usize) = (3, 2);
/// A condition that explains a part is wrong about less than one row for so many of the rarer verdict.
const USEFUL: u64 = 10;
/// Among how many rows that contradict a condition the simplest are looked for.
const LOOKED_AT: usize = 256;
/// How many rows that contradict a condition are listed.
const LISTED: usize = 8;
/// So many rows with follow-ups and outputs are enough to look at them.
const LEAST_DETAILED: usize = 64;
/// So many rows of either verdict tell whether it is worth it to look at all.
const FEW_DETAILED: usize = 2048;

/// A condition, as it is written.
#[derive(Clone)]
pub(crate) struct Written {
    pub(crate) condition: Condition,
    /// What the condition's terms are defined by.
    pub(crate) frame: Arc<Frame>,
    pub(crate) violated_when: String,
    pub(crate) held_when: String,
    /// When violated, with the names of the suite's constants, if there are any in it.
    pub(crate) named: Option<String>,
    /// Over how many distinct inputs the exceptions were counted: all that have rows.
    pub(crate) checked: u64,
    /// Some rows about which it is wrong, the simplest first, with their verdicts.
    pub(crate) exceptions: Vec<(Verdict, Row)>,
}

impl Written {
    /// How many inputs it was not learned from, and is right about; it was learned from so many rows.
    pub(crate) fn survived(&self, learned_from: usize) -> u64 {
        let wrong = self.condition.missed + self.condition.false_alarms;
        self.checked.saturating_sub(learned_from as u64).saturating_sub(wrong)
    }
}

/// What is known of one cell.
#[derive(Clone)]
pub(crate) struct CellExplained {
    pub(crate) explained: Explained,
    /// Its condition, or the one that explains a part.
    pub(crate) written: Option<Written>,
}

/// What is known of all cells.
pub(crate) struct AllExplained {
    pub(crate) cells: Vec<CellExplained>,
    /// What all conditions over inputs are made of.
    pub(crate) frame: Arc<Frame>,
    /// Whether inputs have more parts than are looked at.
    pub(crate) is_cut: bool,
}

/// Explains every cell.
pub(crate) fn explain_all(campaign: &Campaign, cleaned: &Cleaned) -> AllExplained {
    let working = usable(cleaned);
    let frame = Arc::new(Frame::new(&working, &cleaned.header, Scope::Input));
    let count = cleaned.header.cells.len();
    let mut cells = in_parallel((0..count).collect(), |cell| {
        let explained = explain(&frame, &working, cell);
        CellExplained::new(explained, &frame, &working, cell)
    });
    let wrong = check_all(campaign, cleaned, &working, &mut cells);
    narrow_all(campaign, cleaned, &working, &mut cells, &wrong);
    for (cell, explained) in cells.iter_mut().enumerate() {
        let (counts, wrong) = (cleaned.cells[cell].distinct.counts, wrong.get(&cell));
        explained.demote_impure(counts, wrong);
        explained.drop_useless(counts, wrong);
    }
    let open: Vec<usize> = (0..count).filter(|&cell| cells[cell].is_open()).collect();
    let beyond = |cell| {
        // Where a condition over inputs has exceptions, one over outputs would hide what there is to know.
        let scopes = [Scope::Change(cell), Scope::Output(cell)];
        let tried = if matches!(cells[cell].explained, Explained::Condition(_)) { &scopes[..1] } else { &scopes };
        (cell, beyond_inputs(cleaned, &working, cell, tried))
    };
    for (cell, better) in in_parallel(open, beyond) {
        if let Some(better) = better {
            cells[cell] = better;
        }
    }
    if cleaned.is_sample() {
        count_again(cleaned, &working, &mut cells, &wrong);
    }
    AllExplained { cells, is_cut: frame.is_cut, frame }
}

impl CellExplained {
    /// A cell of which nothing is known.
    pub(super) const NOTHING: Self = Self { explained: Explained::Nothing, written: None };

    /// The same, with exceptions counted over so many distinct inputs.
    pub(super) fn checked_on(mut self, checked: u64) -> Self {
        self.written.iter_mut().for_each(|written| written.checked = checked);
        self
    }

    pub(super) fn new(explained: Explained, frame: &Arc<Frame>, rows: &[&Row], cell: usize) -> Self {
        let written = explained.condition().map(|condition| {
            let (violated_when, held_when) = condition.write(frame, &[]);
            let named = condition.write(frame, &frame.constants).0;
            let named = (named != violated_when).then_some(named);
            let checked = rows.iter().filter(|row| row.is_violated(cell).is_some()).count() as u64;
            let exceptions = if condition.is_exact() { Vec::new() } else { exceptions(condition, frame, rows, cell) };
            let (condition, frame) = (condition.clone(), frame.clone());
            Written { condition, frame, violated_when, held_when, named, checked, exceptions }
        });
        Self { explained, written }
    }

    /// Makes a part of a condition that is wrong about more of all rows than flipped verdicts account for: the working set
    /// has few of the common rows that would have told.
    fn demote_impure(&mut self, counts: Counts, wrong: Option<&Exceptions>) {
        let Explained::Condition(condition) = &self.explained else { return };
        let (false_alarms, missed) = condition.wrong_inputs(wrong);
        let (violated, held) = (counts.of(Verdict::Violated), counts.of(Verdict::Held));
        let (inside, outside) = (violated.saturating_sub(missed), held.saturating_sub(false_alarms));
        if !is_pure(inside, false_alarms) || !is_pure(outside, missed) {
            self.explained = Explained::Inconclusive { why: Reason::Unexplained, partial: Some(condition.clone()) };
        }
    }

    /// Forgets a part that is too long, or wrong about too many of all rows.
    fn drop_useless(&mut self, counts: Counts, wrong: Option<&Exceptions>) {
        let rarer = counts.of(Verdict::Violated).min(counts.of(Verdict::Held));
        let is_useful = |part: &Condition| {
            let (false_alarms, missed) = part.wrong_inputs(wrong);
            part.literals() <= MAX_PARTIAL && are_few(USEFUL, false_alarms + missed, rarer)
        };
        if let Explained::Inconclusive { partial, .. } = &mut self.explained
            && partial.as_ref().is_some_and(|partial| !is_useful(partial))
        {
            *partial = None;
            self.written = None;
        }
    }

    /// Whether there is something left to explain.
    fn is_open(&self) -> bool {
        match &self.explained {
            Explained::Inconclusive { .. } => true,
            Explained::Condition(condition) => !condition.is_exact(),
            _ => false,
        }
    }
}

/// Counts how often the terms of all conditions are met in the whole log, of which the working set is a sample.
fn count_again(cleaned: &Cleaned, working: &[&Row], cells: &mut [CellExplained], wrong: &BTreeMap<usize, Exceptions>) {
    let weights = &weights(cleaned);
    let counted = in_parallel((0..cells.len()).collect(), |cell| {
        let written = cells[cell].written.as_ref()?;
        let (counts, wrong) = (cleaned.cells[cell].distinct.counts, wrong.get(&cell));
        Some(Sampled { working, weights, cell, counts, wrong }.counts_of(written))
    });
    for (explained, counts) in cells.iter_mut().zip(counted) {
        if let (Some(written), Some(counts)) = (&mut explained.written, counts) {
            written.condition.counts = counts;
            explained.explained.set(written.condition.clone());
        }
    }
}

/// Some rows about which a condition is wrong.
fn exceptions(condition: &Condition, frame: &Frame, rows: &[&Row], cell: usize) -> Vec<(Verdict, Row)> {
    let is_wrong =
        |row: &&&Row| row.is_violated(cell).is_some_and(|truth| condition.is_violated(&Look::new(frame, row)) != truth);
    simplest(rows.iter().filter(is_wrong).take(LOOKED_AT).copied(), cell)
}

/// The rows that take the least room to write, as the easiest to understand.
fn simplest<'row>(rows: impl Iterator<Item = &'row Row>, cell: usize) -> Vec<(Verdict, Row)> {
    let mut rows: Vec<(usize, &Row)> = rows.map(|row| (row.room(), row)).collect();
    rows.sort_by_key(|&(room, _)| room);
    let judged = rows.into_iter().filter_map(|(_, row)| Some((row.verdict(cell)?, row.clone())));
    judged.take(LISTED).collect()
}

/// Looks at follow-up inputs, and then at outputs, where the source input says too little. Only an answer without
/// exceptions is worth the leak: an output often says no more than the verdict does.
fn beyond_inputs(cleaned: &Cleaned, working: &[&Row], cell: usize, scopes: &[Scope]) -> Option<CellExplained> {
    let detailed: Vec<&Row> = working.iter().copied().filter(|row| row.detail.is_some()).collect();
    if detailed.len() < LEAST_DETAILED {
        return None;
    }
    scopes.iter().find_map(|&scope| {
        let most = if matches!(scope, Scope::Change(_)) { MOST_BEYOND.0 } else { MOST_BEYOND.1 };
        let explained = |rows: &[&Row]| {
            let frame = Arc::new(Frame::new(rows, &cleaned.header, scope));
            let explained = CellExplained::new(explain(&frame, rows, cell), &frame, rows, cell);
            let found = explained.explained.condition().filter(|found| found.is_exact())?;
            // What speaks of sources alone was looked for in more rows than have follow-ups, and is not so there.
            let is_of_source = |literal: &Literal| literal.predicate.is_of_source(&frame);
            let is_new = !found.terms.iter().flatten().all(is_of_source);
            (is_new && found.literals() <= most).then_some(explained)
        };
        // What is not exact for some rows is not exact for all.
        let some = few(&detailed, cell);
        explained(&some).and_then(|found| if some.len() < detailed.len() { explained(&detailed) } else { Some(found) })
    })
}

/// Some rows of either verdict, evenly spread.
fn few<'row>(rows: &[&'row Row], cell: usize) -> Vec<&'row Row> {
    let with = |verdict: Verdict| {
        let is_it = move |row: &&&Row| row.verdict(cell) == Some(verdict);
        let step = rows.iter().filter(is_it).count().div_ceil(FEW_DETAILED).max(1);
        rows.iter().filter(is_it).step_by(step).copied()
    };
    with(Verdict::Violated).chain(with(Verdict::Held)).collect()
}

/// Checks conditions on every row of the log; where one is contradicted by rows outside the working set, these join it
/// and the condition is looked for again. Gives the rows that contradict what is left, by their cells.
fn check_all(
    campaign: &Campaign,
    cleaned: &Cleaned,
    working: &[&Row],
    cells: &mut [CellExplained],
) -> BTreeMap<usize, Exceptions> {
    let mut found = BTreeMap::new();
    for round in 0..ROUNDS {
        found = contradictions(campaign, cleaned, cells);
        let mut is_settled = true;
        for (&cell, wrong) in &found {
            let Some(written) = &mut cells[cell].written else { continue };
            let (false_alarms, missed) = (wrong.false_alarms.count(), wrong.missed.count());
            let is_worse = false_alarms > written.condition.false_alarms || missed > written.condition.missed;
            if round + 1 < ROUNDS && is_worse && written.condition.is_exact() {
                let more: Vec<&Row> = working.iter().copied().chain(wrong.rows.values()).collect();
                let frame = Arc::new(Frame::new(&more, &cleaned.header, Scope::Input));
                cells[cell] = CellExplained::new(explain(&frame, &more, cell), &frame, &more, cell);
                is_settled = false;
            } else {
                written.condition.false_alarms = false_alarms;
                written.condition.missed = missed;
                written.exceptions = simplest(wrong.rows.values(), cell);
            }
        }
        for (cell, explained) in cells.iter_mut().enumerate() {
            if let Some(written) = &mut explained.written {
                written.checked = cleaned.cells[cell].distinct.kept.judged();
                explained.explained.set(written.condition.clone());
            }
        }
        if is_settled {
            break;
        }
    }
    found
}

/// The rows that contradict conditions, by their cells.
pub(super) fn contradictions(
    campaign: &Campaign,
    cleaned: &Cleaned,
    cells: &[CellExplained],
) -> BTreeMap<usize, Exceptions> {
    let wrong: Mutex<BTreeMap<usize, Exceptions>> = Mutex::new(BTreeMap::new());
    let visit = |row: &Row, identity: u64| {
        let mut look: Option<(&Arc<Frame>, Look<'_, '_>)> = None;
        for (cell, explained) in cells.iter().enumerate() {
            let Some(written) = &explained.written else { continue };
            // Nearly all cells have one frame.
            let look = match &look {
                Some((frame, look)) if Arc::ptr_eq(frame, &written.frame) => look,
                _ => &look.insert((&written.frame, Look::new(&written.frame, row))).1,
            };
            let Some(is_violated) = row.is_violated(cell) else { continue };
            if written.condition.is_violated(look) == is_violated {
                continue;
            }
            let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
            wrong.entry(cell).or_default().add(row, identity, is_violated);
        }
    };
    if cells.iter().any(|cell| cell.written.is_some()) {
        cleaned.for_each_sound_row(campaign, visit);
    }
    wrong.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Does some work with all cores; the results are in the order of the work.
pub(crate) fn in_parallel<T: Copy + Sync, R: Send>(work: Vec<T>, run: impl Fn(T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let worker = || {
        while let Some((position, &item)) = {
            let position = next.fetch_add(1, Ordering::Relaxed);
            work.get(position).map(|item| (position, item))
        } {
            let result = run(item);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((position, result));
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from).min(work.len());
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(worker))));
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(position, _)| *position);
    done.into_iter().map(|(_, result)| result).collect()
}
