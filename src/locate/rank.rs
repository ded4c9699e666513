//! The lines, the most suspicious first.

use super::{
    Check, Code, Place,
    spectrum::{Counts, End, Event, Part, Spectrum},
};
use crate::mine::condition::ln_fisher;
use std::collections::{BTreeMap, HashMap};

/// How likely chance may be to make the best of all items this good.
const CHANCE: f64 = 0.01;
/// The order in which lines run is looked up in so many failed checks.
const ORDERED: usize = 64;

/// Lines that tell failed from held checks; and if there are none, those that all failed checks run.
pub(crate) fn rank(checks: &[&Check], code: &Code) -> (Vec<Place>, Vec<Place>) {
    let spectrum = Spectrum::of(checks);
    let limit = CHANCE.ln() - (spectrum.counts.len().max(1) as f64).ln();
    let order = order(checks, code);
    let tells = |&(_, counts): &(_, Counts)| ln_fisher(counts, spectrum.all) < limit;
    let places = places(&spectrum, code, &order, tells);
    if !places.is_empty() {
        return (places, Vec::new());
    }
    let runs_in_all = |&((event, part), counts): &((Event, Part), Counts)| {
        matches!(event, Event::Block(_)) && part == Part::Either && counts.0 == spectrum.all.0 && counts.0 > 0
    };
    (Vec::new(), self::places(&spectrum, code, &order, runs_in_all))
}

/// The best that happens on each line, of what is wanted.
fn places(
    spectrum: &Spectrum,
    code: &Code,
    order: &HashMap<usize, usize>,
    is_wanted: impl Fn(&((Event, Part), Counts)) -> bool,
) -> Vec<Place> {
    let mut best: BTreeMap<usize, Place> = BTreeMap::new();
    let runs = runs(spectrum, code);
    for ((event, part), counts) in spectrum.counts.iter().map(|(&item, &counts)| (item, counts)).filter(is_wanted) {
        let score = ochiai(counts, spectrum.all);
        for line in code.lines_of(event) {
            let (failed, held) = counts;
            let all = |counts: Counts| counts.0 + counts.1;
            let own = spectrum.counts.get(&(event, Part::Either)).copied().unwrap_or_default();
            let is_block = matches!(event, Event::Block(_));
            let is_part_of_line = is_block && runs.get(&line).is_some_and(|most| all(own) < *most);
            let (what, line_of_code) = (event.what(), code.lines[line].clone());
            let place = Place { line: line_of_code, score, what, is_part_of_line, part, failed, held };
            match best.get(&line) {
                Some(known) if !is_better(&place, known) => {}
                _ => _ = best.insert(line, place),
            }
        }
    }
    let alone = alone(spectrum, code);
    let mut places: Vec<(usize, Place)> = best.into_iter().collect();
    places.sort_by(|(one_line, one), (other_line, other)| {
        let alone = |line: &usize| alone.get(line).copied().unwrap_or_default();
        let when = |line: &usize| order.get(line).copied().unwrap_or(usize::MAX);
        let at = |place: &Place| (place.line.path.clone(), place.line.number);
        (other.score.total_cmp(&one.score))
            .then_with(|| one.line.whose.cmp(&other.line.whose))
            .then_with(|| alone(other_line).total_cmp(&alone(one_line)))
            .then_with(|| when(one_line).cmp(&when(other_line)))
            .then_with(|| at(one).cmp(&at(other)))
    });
    places.into_iter().map(|(_, place)| place).collect()
}

/// In how many checks each line runs, as far as one of its blocks tells.
fn runs(spectrum: &Spectrum, code: &Code) -> HashMap<usize, u64> {
    let mut runs: HashMap<usize, u64> = HashMap::new();
    for (&(event, part), &(failed, held)) in &spectrum.counts {
        if matches!(event, Event::Block(_)) && part == Part::Either {
            for line in code.lines_of(event) {
                let known = runs.entry(line).or_default();
                *known = (*known).max(failed + held);
            }
        }
    }
    runs
}

/// The best score of each line by what happens there in either run. Where two runs part, both ways tell as much; what held
/// checks hardly ever show is the stranger one.
fn alone(spectrum: &Spectrum, code: &Code) -> HashMap<usize, f64> {
    let mut alone: HashMap<usize, f64> = HashMap::new();
    for (&(event, part), &counts) in &spectrum.counts {
        if part == Part::Either {
            for line in code.lines_of(event) {
                let known = alone.entry(line).or_default();
                *known = known.max(ochiai(counts, spectrum.all));
            }
        }
    }
    alone
}

/// Of what tells as much, the simplest is shown.
fn is_better(one: &Place, other: &Place) -> bool {
    let order = one.score.total_cmp(&other.score).then_with(|| other.held.cmp(&one.held));
    order.then_with(|| (other.part, other.what).cmp(&(one.part, one.what))).is_gt()
}

/// Ochiai's score of something that so many failed and held checks have.
fn ochiai((failed, held): Counts, all: Counts) -> f64 {
    let most = (all.0 as f64 * (failed + held) as f64).sqrt();
    if most > 0.0 { failed as f64 / most } else { 0.0 }
}

/// When each line first runs in a failed check: what decides comes before what it decides, a caller before what it
/// calls.
fn order(checks: &[&Check], code: &Code) -> HashMap<usize, usize> {
    let mut order = HashMap::new();
    for check in checks.iter().filter(|check| check.end != End::Held).take(ORDERED) {
        for &(block, _) in check.runs.iter().flat_map(|run| &run.blocks) {
            for line in code.lines_of(Event::Block(block)) {
                let next = order.len();
                order.entry(line).or_insert(next);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::calls::Run,
        locate::{Line, What, Whose},
    };

    /// Code whose block `n` is line `n`, and whose address `n` is too; the user's, unless it is said otherwise.
    fn code(others: &[(u32, Whose)]) -> Code {
        let whose = |number| others.iter().find(|(other, _)| *other == number).map_or(Whose::Own, |(_, whose)| *whose);
        let line = |number| Line { path: "src/lib.rs".into(), number, function: "f".into(), whose: whose(number) };
        Code {
            lines: (0..100).map(line).collect(),
            blocks: (0..100).map(|block| (block, vec![block as usize])).collect(),
            addresses: (0..100).map(|address| (address, address as usize)).collect(),
        }
    }

    fn run(blocks: &[u32]) -> Run {
        Run {
            blocks: blocks.iter().map(|&block| (block, 1)).collect(),
            steps: blocks.windows(2).map(|pair| (pair[0], pair[1])).collect(),
            ..Run::default()
        }
    }

    /// So many checks whose source and follow-up run these blocks.
    fn checks(count: usize, end: End, source: &[u32], follow_up: &[u32]) -> Vec<Check> {
        vec![Check { end, runs: vec![run(source), run(follow_up)] }; count]
    }

    fn ranked(checks: &[Check], code: &Code) -> (Vec<Place>, Vec<Place>) {
        rank(&checks.iter().collect::<Vec<_>>(), code)
    }

    fn numbers(places: &[Place]) -> Vec<u32> {
        places.iter().map(|place| place.line.number).collect()
    }

    #[test]
    fn the_line_that_only_violated_checks_run_comes_first_with_what_decides_it() {
        let violated = checks(20, End::Violated, &[1, 2, 3, 5], &[1, 2, 4, 5]);
        let held = checks(30, End::Held, &[1, 2, 4, 5], &[1, 2, 4, 5]);
        let (places, common) = ranked(&[violated, held].concat(), &code(&[]));
        assert_eq!(numbers(&places), [2, 3, 4]);
        assert_eq!((places[0].what, places[0].part), (What::Decides, Part::Either));
        assert_eq!((places[1].what, places[1].part), (What::Runs, Part::Either));
        assert_eq!((places[1].score, places[1].failed, places[1].held), (1.0, 20, 0));
        // That the follow-up alone runs it is no more than the other side of the same.
        assert_eq!((places[2].part, places[2].held), (Part::JustOne, 0));
        assert!(common.is_empty());
    }

    #[test]
    fn the_difference_of_the_two_runs_tells_where_neither_does_alone() {
        let one = checks(20, End::Violated, &[1, 2], &[1, 3]);
        let other = checks(20, End::Violated, &[1, 3], &[1, 2]);
        let held = [checks(20, End::Held, &[1, 2], &[1, 2]), checks(20, End::Held, &[1, 3], &[1, 3])].concat();
        let (places, _) = ranked(&[one, other, held].concat(), &code(&[]));
        assert!(places.iter().all(|place| place.score == 1.0 && place.part == Part::JustOne), "{places:?}");
        assert_eq!(numbers(&places), [1, 2, 3]);
    }

    #[test]
    fn of_the_two_ways_at_a_fork_the_one_that_held_checks_do_not_take_comes_first() {
        let violated = checks(20, End::Violated, &[1, 2, 5], &[1, 3, 5]);
        let held =
            [checks(40, End::Held, &[1, 2, 5], &[1, 2, 5]), checks(2, End::Held, &[1, 3, 5], &[1, 3, 5])].concat();
        let (places, _) = ranked(&[violated, held].concat(), &code(&[]));
        assert_eq!(numbers(&places), [1, 3, 2]);
        assert!(places.iter().all(|place| place.score == 1.0 && place.part == Part::JustOne), "{places:?}");
    }

    #[test]
    fn of_lines_that_tell_as_much_the_user_s_come_first_and_the_suite_s_last() {
        let whose = [(2, Whose::Suite), (3, Whose::Dependency)];
        let violated = checks(20, End::Violated, &[2, 3, 4], &[2, 3, 4]);
        let held = checks(20, End::Held, &[1], &[1]);
        let (places, _) = ranked(&[violated, held].concat(), &code(&whose));
        assert_eq!(numbers(&places), [4, 3, 2]);
    }

    #[test]
    fn a_comparison_of_equals_tells_the_boundary_that_no_branch_shows() {
        let compared = |end, distance| {
            let run = Run { compared: vec![(7, distance)], ..run(&[1]) };
            vec![Check { end, runs: vec![run.clone(), run] }; 20]
        };
        let (places, _) = ranked(&[compared(End::Violated, 0), compared(End::Held, 3)].concat(), &code(&[]));
        assert_eq!(numbers(&places), [7]);
        assert_eq!(places[0].what, What::Compares);
        // Far from it, values say nothing.
        let (places, _) = ranked(&[compared(End::Violated, 4), compared(End::Held, 3)].concat(), &code(&[]));
        assert!(places.is_empty());
    }

    #[test]
    fn a_part_of_a_line_is_not_taken_for_the_whole() {
        let violated = checks(20, End::Violated, &[1, 2], &[1, 2]);
        let held = checks(20, End::Held, &[1], &[1]);
        let all = [violated, held].concat();
        // The second block stands in the line of the first.
        let code = Code { blocks: [(1, vec![1]), (2, vec![1])].into(), ..code(&[]) };
        let (places, _) = ranked(&all, &code);
        assert_eq!((numbers(&places), places[0].held, places[0].is_part_of_line), (vec![1], 0, true));
        let (places, _) = ranked(&all, &self::code(&[]));
        assert!(numbers(&places).contains(&2) && places.iter().all(|place| !place.is_part_of_line), "{places:?}");
    }

    #[test]
    fn what_is_called_belongs_to_the_line_that_calls_it() {
        let called = |end, block| {
            let run = Run { called: vec![(block, 9)], ..run(&[1]) };
            vec![Check { end, runs: vec![run.clone(), run] }; 20]
        };
        let (places, _) = ranked(&[called(End::Violated, 50), called(End::Held, 51)].concat(), &code(&[]));
        assert_eq!((numbers(&places), places[0].what), (vec![9], What::Calls));
    }

    #[test]
    fn the_same_code_and_what_chance_explains_are_no_evidence() {
        let same = [checks(20, End::Violated, &[1, 2], &[1, 2]), checks(20, End::Held, &[1, 2], &[1, 2])].concat();
        let (places, common) = ranked(&same, &code(&[]));
        assert!(places.is_empty());
        assert_eq!(numbers(&common), [1, 2]);
        let two = [checks(2, End::Violated, &[1, 2], &[1, 2]), checks(5, End::Held, &[1], &[1])].concat();
        let (places, common) = ranked(&two, &code(&[]));
        assert!(places.is_empty(), "{places:?}");
        assert_eq!(numbers(&common), [2, 1]);
        assert_eq!(ranked(&[], &code(&[])), (Vec::new(), Vec::new()));
    }

    #[test]
    fn what_no_held_check_shows_is_told_from_what_some_do() {
        let violated = checks(20, End::Violated, &[1, 2, 3], &[1, 2, 3]);
        let held = [checks(20, End::Held, &[1], &[1]), checks(5, End::Held, &[1, 2], &[1, 2])].concat();
        let (places, _) = ranked(&[violated, held].concat(), &code(&[]));
        let only = places.iter().filter(|place| place.held == 0).map(|place| place.line.number);
        // Line 2 decides whether line 3 runs.
        assert_eq!(only.collect::<Vec<_>>(), [3]);
        assert!(numbers(&places).contains(&2));
    }
}
