//! Who kills what: for each cell and each relation the mutants it kills, and those that nothing else kills.

use super::{Mutant, Noticed, Record, Tests};
use crate::minimise::cover;
use std::collections::BTreeSet;

/// Inputs that were judged together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InputSet {
    /// The folder, as a user would type it.
    pub(crate) name: String,
    /// How many inputs it has.
    pub(crate) inputs: usize,
}

/// All that is known about all mutants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Analysis {
    pub(crate) suite: String,
    /// Function and relation of each cell.
    pub(crate) cells: Vec<(String, String)>,
    /// The committed corpus first.
    pub(crate) sets: Vec<InputSet>,
    /// How many tests there are: generated ones, and the crate's own; nothing if they are not compared.
    pub(crate) generated: Option<usize>,
    pub(crate) own: Option<usize>,
    /// Every mutant that was tested.
    pub(crate) tested: Vec<(Mutant, Record)>,
    /// How many do not compile.
    pub(crate) unviable: usize,
    /// What has to be known beside.
    pub(crate) notes: Vec<String>,
}

/// How many mutants somebody kills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) killed: usize,
    /// Those that nobody else of the kind kills.
    pub(crate) alone: usize,
}

impl Analysis {
    /// The score of each cell.
    pub(crate) fn of_cells(&self) -> Vec<Score> {
        let killers = self.corpus().map(|noticed| noticed.cells.clone());
        scores(self.cells.len(), killers)
    }

    /// The relations, in the order of the cells.
    pub(crate) fn relations(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (_, relation) in &self.cells {
            if !names.contains(&relation.as_str()) {
                names.push(relation);
            }
        }
        names
    }

    /// The score of each relation.
    pub(crate) fn of_relations(&self) -> Vec<Score> {
        scores(self.relations().len(), self.relations_that_kill().into_iter())
    }

    /// The fewest relations that were found to kill all that the corpus kills by any.
    pub(crate) fn enough(&self) -> Vec<&str> {
        let names = self.relations();
        let killers = self.relations_that_kill();
        let killed_by = |relation: usize| {
            let by_it = (0..killers.len()).filter(|&mutant| killers[mutant].contains(&relation));
            by_it.map(|mutant| mutant as u32).collect()
        };
        let sets: Vec<Vec<u32>> = (0..names.len()).map(killed_by).collect();
        cover(&sets, &vec![false; sets.len()]).into_iter().map(|relation| names[relation]).collect()
    }

    /// For each mutant, the relations with a cell that kills it.
    fn relations_that_kill(&self) -> Vec<BTreeSet<usize>> {
        let names = self.relations();
        let of_cell = |&cell: &usize| {
            let (_, relation) = self.cells.get(cell)?;
            names.iter().position(|name| name == relation)
        };
        self.corpus().map(|noticed| noticed.cells.iter().filter_map(of_cell).collect()).collect()
    }

    /// What the committed corpus notices of each mutant that it has judged.
    fn corpus(&self) -> impl Iterator<Item = &Noticed> {
        self.tested.iter().filter_map(|(_, record)| record.inputs.first()?.as_ref())
    }

    /// How many mutants a set of inputs kills.
    pub(crate) fn killed_by_set(&self, set: usize) -> usize {
        self.count(|record| of_set(record, set).is_some_and(Noticed::is_killed))
    }

    /// How many a set of inputs would kill if violations were panics.
    pub(crate) fn crashed_by_set(&self, set: usize) -> usize {
        self.count(|record| of_set(record, set).is_some_and(|noticed| noticed.crash))
    }

    /// How many mutants these tests kill.
    pub(crate) fn killed_by_tests(&self, tests: Tests) -> usize {
        self.count(|record| record.is_killed_by(tests) == Some(true))
    }

    /// How many mutants are such.
    pub(crate) fn count(&self, is_such: impl Fn(&Record) -> bool) -> usize {
        self.tested.iter().filter(|(_, record)| is_such(record)).count()
    }

    /// The mutants that the corpus and the generated tests let pass, with their records.
    pub(crate) fn survivors(&self) -> impl Iterator<Item = &(Mutant, Record)> {
        self.tested.iter().filter(|(_, record)| !is_killed_by_ours(record))
    }
}

/// Whether the corpus or the generated tests kill a mutant.
pub(crate) fn is_killed_by_ours(record: &Record) -> bool {
    let by_corpus = of_set(record, 0).is_some_and(Noticed::is_killed);
    by_corpus || record.is_killed_by(Tests::Generated) == Some(true)
}

/// Whether the crate's own tests kill a mutant.
pub(crate) fn is_killed_by_own(record: &Record) -> bool {
    record.is_killed_by(Tests::Own) == Some(true)
}

/// What a set of inputs notices of a mutant.
pub(crate) fn of_set(record: &Record, set: usize) -> Option<&Noticed> {
    record.inputs.get(set)?.as_ref()
}

/// The scores of so many, from those that kill each mutant.
fn scores(count: usize, killers: impl Iterator<Item = BTreeSet<usize>>) -> Vec<Score> {
    let mut scores = vec![Score::default(); count];
    for killers in killers {
        for &killer in killers.iter().filter(|&&killer| killer < count) {
            scores[killer].killed += 1;
            scores[killer].alone += usize::from(killers.len() == 1);
        }
    }
    scores
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::mutants::{Ended, Part};

    /// A mutant at this line, killed by these cells.
    fn killed(line: u64, cells: &[usize], own: Ended) -> (Mutant, Record) {
        let mutant = Mutant { file: "src/lib.rs".into(), line, column: 5, change: format!("change {line}") };
        let noticed = Noticed { cells: cells.iter().copied().collect(), ..Noticed::default() };
        let raw = Noticed { crash: cells.contains(&0), ..noticed.clone() };
        let parts = [Part::Inputs(0, noticed), Part::Inputs(1, raw), Part::End(Tests::Own, own, 4)];
        (mutant, Record::parse(&parts.iter().map(Part::line).collect::<String>(), 2))
    }

    /// `swap` alone sees the first mutant; `copy` sees nothing that `grow` does not; nothing sees the last.
    pub(in crate::mutants) fn analysis() -> Analysis {
        let cell = |function: &str, relation: &str| (function.to_owned(), relation.to_owned());
        Analysis {
            suite: "money".into(),
            cells: vec![cell("add", "swap"), cell("add", "grow"), cell("sub", "grow"), cell("add", "copy")],
            sets: ["corpus/money", "fuzz/corpus/money"].map(|name| InputSet { name: name.into(), inputs: 7 }).into(),
            own: Some(4),
            tested: vec![
                killed(3, &[0], Ended::Passed),
                killed(4, &[1, 2], Ended::Failed),
                killed(5, &[1, 3], Ended::TimedOut),
                killed(6, &[], Ended::Failed),
                killed(7, &[], Ended::Passed),
            ],
            unviable: 1,
            ..Analysis::default()
        }
    }

    #[test]
    fn a_mutant_that_one_cell_alone_sees_is_credited_to_it() {
        let scores = analysis().of_cells();
        let numbers: Vec<(usize, usize)> = scores.iter().map(|score| (score.killed, score.alone)).collect();
        assert_eq!(numbers, [(1, 1), (2, 0), (1, 0), (1, 0)]);
    }

    #[test]
    fn a_relation_is_alone_where_several_of_its_cells_kill_and_no_others() {
        let analysis = analysis();
        let numbers: Vec<(usize, usize)> =
            analysis.of_relations().iter().map(|score| (score.killed, score.alone)).collect();
        assert_eq!(analysis.relations(), ["swap", "grow", "copy"]);
        assert_eq!(numbers, [(1, 1), (2, 1), (1, 0)]);
        assert_eq!(analysis.enough(), ["swap", "grow"]);
    }

    #[test]
    fn what_nothing_of_ours_kills_survives() {
        let analysis = analysis();
        let lines: Vec<u64> = analysis.survivors().map(|(mutant, _)| mutant.line).collect();
        assert_eq!(lines, [6, 7]);
        assert_eq!((analysis.killed_by_set(1), analysis.crashed_by_set(1)), (3, 1));
        assert_eq!(analysis.killed_by_tests(Tests::Own), 3);
        assert_eq!(analysis.killed_by_tests(Tests::Generated), 0);
    }

    #[test]
    fn cells_that_nobody_knows_count_for_none() {
        let mut analysis = analysis();
        analysis.cells.truncate(1);
        assert_eq!(analysis.of_cells(), [Score { killed: 1, alone: 1 }]);
    }
}
