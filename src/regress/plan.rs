//! What is tested: decisions, the committed corpus and the suite as it is now come to tests of some cells, and to a reason
//! for every other one.

use super::{code::Scope, names, types::types};
use crate::{
    Verdict,
    corpus::{Corpus, Expected},
    decision::{Answer, Decision, Decisions, Test, cell_key, cells_named},
    expression::Expression,
    log::{Header, Row},
    minimise::{Obligation, is_kept_for},
    replay::names_of,
    terminal::shorten,
};
use std::collections::{BTreeMap, BTreeSet};

/// How many inputs of a cell and verdict are tested, beside the boundary.
const MOST: usize = 6;
/// How much of an input is written, and how many bytes it may have.
const TEXT: usize = 200;
const BYTES: usize = 1024;

/// What is tested of a suite.
pub(crate) struct Plan {
    pub(crate) suite: String,
    pub(crate) cells: Vec<CellPlan>,
    /// The cells without tests, and why.
    pub(crate) left_out: Vec<(String, String)>,
}

/// What is tested of a cell.
pub(crate) struct CellPlan {
    /// `sub x MR2`
    pub(crate) name: String,
    /// The name of its module.
    pub(crate) module: String,
    pub(crate) function: String,
    pub(crate) relation: String,
    pub(crate) description: String,
    pub(crate) decision: Decision,
    pub(crate) held: Vec<Sample>,
    pub(crate) violated: Vec<Sample>,
    /// The two inputs of opposite verdicts that are nearest to each other, the held one first.
    pub(crate) boundary: Option<[Sample; 2]>,
    /// What has to be known beside.
    pub(crate) notes: Vec<String>,
    pub(crate) scope: Scope,
    /// Why its condition cannot be asked of inputs, if that is so.
    pub(crate) fault: Option<String>,
}

/// An input of the corpus.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sample {
    pub(crate) bytes: Vec<u8>,
    /// What they decode to.
    pub(crate) text: String,
}

/// A suite as it is now, and all that was decided about it.
pub(crate) struct Known<'run> {
    pub(crate) header: &'run Header,
    pub(crate) decisions: &'run Decisions,
    pub(crate) corpus: Option<&'run Corpus>,
    /// The inputs of the corpus as they are judged now, by name.
    pub(crate) judged: &'run BTreeMap<String, Row>,
    /// Rows that show what types the fields have.
    pub(crate) rows: &'run [&'run Row],
}

/// Plans the tests of a suite.
pub(crate) fn plan(known: &Known<'_>) -> Plan {
    let Known { header, decisions, .. } = known;
    let mut plan = Plan { suite: header.suite.clone(), cells: Vec::new(), left_out: Vec::new() };
    let mut taken = BTreeSet::from(["inputs".to_owned()]);
    for cell in 0..header.cells.len() {
        let key = cell_key(header, cell);
        let planned = match decisions.cells.get(&key) {
            Some(_) if cells_named(header, &key).len() > 1 => Err("another cell has the same name".into()),
            Some(decision) => cell_plan(known, cell, decision, &mut taken),
            None => Err("not decided".into()),
        };
        match planned {
            Ok(planned) => plan.cells.push(planned),
            Err(why) => plan.left_out.push((header.cell_name(cell), why)),
        }
    }
    let is_gone = |key: &&String| cells_named(header, key).is_empty();
    for key in decisions.cells.keys().filter(is_gone) {
        plan.left_out.push((key.clone(), "decided, and the suite has no such cell any more".into()));
    }
    plan
}

fn cell_plan(
    known: &Known<'_>,
    cell: usize,
    decision: &Decision,
    taken: &mut BTreeSet<String>,
) -> Result<CellPlan, String> {
    let header = known.header;
    if decision.answer != Answer::Bug && decision.test == Test::None {
        return Err(format!("{}, and no test was asked for", decision.words()));
    }
    let (constants, now) = (&decision.build.constants, header.constants.iter().map(|(name, _)| name));
    if !constants.keys().eq(now.collect::<BTreeSet<_>>()) {
        return Err("decided for other constants than the suite has now".into());
    }
    let (function, relation) = names_of(header, header.cells[cell]);
    let info = header.relations.get(usize::from(header.cells[cell].1));
    let fields = known.rows.first().map_or_else(|| header.fields.clone(), |row| row.names.to_vec());
    let mut planned = CellPlan {
        name: header.cell_name(cell),
        module: String::new(),
        function: function.to_owned(),
        relation: relation.to_owned(),
        description: info.map(|info| info.description.clone()).unwrap_or_default(),
        decision: decision.clone(),
        held: Vec::new(),
        violated: Vec::new(),
        boundary: None,
        notes: Vec::new(),
        scope: Scope {
            fields,
            parameters: header.parameters.clone(),
            constants: constants.clone(),
            features: header.features.clone(),
            types: types(known.rows, header),
        },
        fault: None,
    };
    planned.add_samples(known);
    if decision.answer == Answer::Bug && planned.violated.is_empty() {
        return Err("a bug, and no input of the corpus shows it".into());
    }
    planned.module = names::module(function, relation, taken);
    Ok(planned)
}

impl CellPlan {
    /// How many tests it has, a property among them if that is so.
    pub(crate) fn tests(&self, has_property: bool) -> usize {
        let parts = [!self.held.is_empty(), !self.violated.is_empty(), self.boundary.is_some(), has_property];
        parts.into_iter().filter(|&is_there| is_there).count()
    }

    /// Whether a panic says nothing: some are known, or the build that was decided about would not have panicked.
    pub(crate) fn may_panic(&self) -> bool {
        let facts = &self.decision.build.facts;
        self.decision.numbers.panicked > 0 || !facts.overflow_checks || !facts.debug_assertions
    }

    /// Takes in the inputs that the corpus keeps for this cell.
    fn add_samples(&mut self, known: &Known<'_>) {
        let condition = self.condition(known);
        let Some(corpus) = known.corpus else { return };
        if corpus.manifest.constants != self.decision.build.constants {
            self.notes.push("the corpus has other constants, so none of its inputs is tested".into());
            return;
        }
        let mut boundary = [None, None];
        let (mut others, mut too_long) = (0, 0);
        for (name, row) in known.judged {
            let Some(expected) = corpus.manifest.inputs.get(name) else { continue };
            let Some(verdict) = self.expected(expected) else { continue };
            let is_boundary = [Verdict::Held, Verdict::Violated].map(|verdict| {
                expected.keeps.contains(&Obligation::Boundary { cell: self.name.clone(), verdict }.to_string())
            });
            if !expected.keeps.iter().any(|obligation| is_kept_for(obligation, &self.name)) {
                continue;
            }
            if row.bytes.len() > BYTES {
                too_long += 1;
                continue;
            }
            if !self.agrees(verdict, condition.as_ref().map(|condition| condition.test(row).ok())) {
                others += 1;
                continue;
            }
            let sample = Sample { bytes: row.bytes.clone(), text: shorten(&row.input_text(known.header), TEXT) };
            match verdict {
                Verdict::Held if is_boundary[0] => boundary[0] = Some(sample),
                Verdict::Violated if is_boundary[1] => boundary[1] = Some(sample),
                Verdict::Held => self.held.push(sample),
                _ => self.violated.push(sample),
            }
        }
        self.sort_samples(boundary);
        if others > 0 {
            self.notes.push(format!("{others} inputs of the corpus are not as decided: fuzz again, and decide again"));
        }
        if too_long > 0 {
            self.notes.push(format!("{too_long} inputs are too long to be written here: `bugornot replay` has them"));
        }
    }

    fn sort_samples(&mut self, boundary: [Option<Sample>; 2]) {
        let has_both = self.decision.test == Test::Both;
        match boundary {
            [Some(held), Some(violated)] if has_both => self.boundary = Some([held, violated]),
            [held, violated] => {
                self.held.extend(held);
                self.violated.extend(violated);
            }
        }
        for samples in [&mut self.held, &mut self.violated] {
            samples.sort_by_key(|sample| (sample.text.len(), sample.clone()));
            samples.truncate(MOST);
        }
        if self.decision.answer == Answer::Bug {
            self.held.clear();
            return;
        }
        if !self.decision.test.has_positive() {
            self.held.clear();
        }
        if !self.decision.test.has_negative() {
            self.violated.clear();
        }
    }

    /// The verdict that the corpus expects of an input, if a test can.
    fn expected(&self, expected: &Expected) -> Option<Verdict> {
        let verdict = expected.verdicts.get(&self.function)?.get(&self.relation)?.0;
        let is_tested = match self.decision.answer {
            Answer::Bug => verdict == Verdict::Violated || verdict.is_panic(),
            _ => matches!(verdict, Verdict::Held | Verdict::Violated),
        };
        (is_tested && !expected.is_deadly()).then_some(verdict)
    }

    /// Whether a verdict is as decided; `is_met` is what the condition says, if there is one.
    fn agrees(&self, verdict: Verdict, is_met: Option<Option<bool>>) -> bool {
        match (self.decision.answer, is_met) {
            (Answer::Bug, _) => true,
            (Answer::Fits, _) => verdict == Verdict::Held,
            (Answer::DoesNotApply, _) => verdict == Verdict::Violated,
            (Answer::NotABug, Some(Some(is_met))) => {
                is_met == (verdict == Verdict::Violated) || (is_met && !self.decision.test.has_negative())
            }
            (Answer::NotABug, _) => true,
        }
    }

    /// The condition, if it can be asked of inputs as they are now.
    fn condition(&mut self, known: &Known<'_>) -> Option<Expression> {
        let when = self.decision.when.as_deref()?;
        let parsed = Expression::parse(when, known.header);
        let usable = parsed.and_then(|condition| {
            let asked = known.rows.iter().try_for_each(|row| condition.test(row).map(drop));
            asked.map(|()| condition)
        });
        match usable {
            Ok(condition) => Some(condition),
            Err(fault) => {
                self.fault = Some(fault.to_string());
                None
            }
        }
    }
}
