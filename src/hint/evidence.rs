//! Facts in words: one line each, with its numbers.

use super::{
    Hint,
    deviation::{Deviation, Model, Tolerance},
    facts::{Explanation, Facts, Said, Shape},
    inverse::Inverse,
    others::Others,
    proof::{ProofRow, Proven},
    region::Panics,
};
use crate::terminal::{grouped, plural};

/// One thing that speaks for or against a bug.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Evidence {
    /// What sort of thing it is; never changes, so that programs can rely on it.
    pub(crate) kind: &'static str,
    /// In one line.
    pub(crate) text: String,
    pub(crate) numbers: Vec<(&'static str, f64)>,
    /// The rows of the log that prove it.
    pub(crate) rows: Vec<ProofRow>,
}

impl Evidence {
    fn new(kind: &'static str, text: String, numbers: &[(&'static str, f64)]) -> Self {
        Self { kind, text, numbers: numbers.to_vec(), rows: Vec::new() }
    }

    /// The rows that prove it in a line each, side by side.
    pub(crate) fn proof(&self, columns: usize, indent: &str) -> String {
        let width = self.rows.iter().map(|row| row.role.chars().count()).max().unwrap_or(0);
        let room = columns.saturating_sub(indent.len() + width + 2);
        let line = |row: &ProofRow| format!("{indent}{:width$}  {}\n", row.role, row.text(room));
        self.rows.iter().map(line).collect()
    }

    /// What the lines say that failed checks run, which are violated or panicked: the one that tells best, how many there
    /// are that no held check runs, and how many that tell such checks from held ones.
    pub(crate) fn code(failed: &str, best: Option<String>, only_failed: usize, telling: usize) -> Self {
        let text = best.unwrap_or_else(|| format!("held and {failed} checks run the same code"));
        Self::new("code", text, &[("only_failed", only_failed as f64), ("telling", telling as f64)])
    }

    /// What tells the nearest inputs of opposite verdicts apart; of how many violated and held inputs the best is true, and
    /// how many were looked at.
    pub(crate) fn nearest_pair(text: String, best: [u64; 2], all: [u64; 2]) -> Self {
        let [best_violated, best_held] = best.map(|count| count as f64);
        let [violated, held] = all.map(|count| count as f64);
        let numbers =
            [("best_violated", best_violated), ("best_held", best_held), ("violated", violated), ("held", held)];
        Self::new(Self::NEAREST_PAIR, text, &numbers)
    }

    /// The kind of what [`Self::nearest_pair`] makes.
    pub(crate) const NEAREST_PAIR: &str = "nearest-pair";
}

/// All evidence about a cell, what a hint rests on first.
pub(super) fn of(facts: &Facts, hint: Hint) -> Vec<Evidence> {
    let mut all = Vec::new();
    anchors(facts, &mut all);
    unsound(facts, &mut all);
    sides(facts, &mut all);
    declared(facts, &mut all);
    rate(facts, &mut all);
    shape(facts, &mut all);
    unchanged(facts, &mut all);
    causes(facts, &mut all);
    all.extend(facts.deviation.as_ref().map(deviation));
    let first = leading(hint);
    all.sort_by_key(|evidence| !first.contains(&evidence.kind));
    all
}

/// The kinds that a hint rests on.
fn leading(hint: Hint) -> &'static [&'static str] {
    match hint {
        Hint::Nondeterministic => &["nondeterministic", "conflicting"],
        Hint::Harness => &["role-dependent", "contradiction", "harness-panic", "identity"],
        Hint::Regression => &["regression", "expectation"],
        Hint::Bug => &[
            "decided-bug",
            "panic",
            "panic-region",
            "own-panic",
            "death",
            "nan",
            "expectation",
            "shared-cause",
            "overlap",
            "exceptions",
            "rate",
        ],
        Hint::Fits | Hint::DoesNotApply => &["rate"],
        Hint::NotABug => &["accepted", "expectation", "unchanged", "rounding", "exact-condition", "others-hold"],
        Hint::Inconclusive => &["judgement-panic", "changed", "no-worse", "belief"],
    }
}

fn anchors(facts: &Facts, all: &mut Vec<Evidence>) {
    let anchor = &facts.anchor;
    let evidence = |kind, said: &Said| Evidence::new(kind, said.text.clone(), &said.numbers);
    all.extend(anchor.regression.iter().map(|said| evidence("regression", said)));
    for (kind, said) in [
        ("accepted", &anchor.accepted),
        ("decided-bug", &anchor.bug),
        ("changed", &anchor.changed),
        ("drift", &anchor.drift),
        ("no-worse", &anchor.no_worse),
    ] {
        all.extend(said.iter().map(|said| evidence(kind, said)));
    }
}

fn unsound(facts: &Facts, all: &mut Vec<Evidence>) {
    let unsound = &facts.unsound;
    let mut add = |kind, proven: &Proven, noun: &str, text: &str| {
        if proven.count > 0 {
            let text = format!("{} {text}", plural(proven.count, noun));
            let evidence = Evidence::new(kind, text, &[("count", proven.count as f64)]);
            all.push(Evidence { rows: proven.rows.clone(), ..evidence });
        }
    };
    add("conflicting", &unsound.conflicting, "input", "with two different verdicts");
    let twice = "the function gave two outputs for one input in a row";
    add("nondeterministic", &unsound.nondeterministic, "time", twice);
    let roles = "an input had another output as follow-up than as source";
    add("role-dependent", &unsound.role_dependent, "time", roles);
    let place = unsound.harness_place.as_ref().map_or_else(String::new, |place| format!(", at {place}"));
    let panics = format!("made the transformation panic{place}");
    add("harness-panic", &unsound.harness_panics, "input", &panics);
    let without_rows = |count| Proven { count, rows: Vec::new() };
    let own = format!("made the transformation panic where the function does, which it calls{place}");
    add("own-panic", &without_rows(unsound.own_panics), "input", &own);
    let judgement = "the judgement panicked on what the function gave";
    add("judgement-panic", &without_rows(unsound.judgement_panics), "time", judgement);
    add("identity", &unsound.identity_violated, "violated check", "of a relation that changes nothing");
    add("contradiction", &unsound.contradictions, "input", "with two outputs in two places of the log");
    let Inverse { pairs, opposite } = facts.inverse;
    if opposite > 0 {
        let text = format!(
            "{} each other's follow-up, and {} held one way and violated the other",
            if pairs == 1 { "1 pair of inputs is".into() } else { format!("{} pairs of inputs are", grouped(pairs)) },
            if pairs == 1 { "is".into() } else { format!("{} of them are", grouped(opposite)) },
        );
        all.push(Evidence::new("inverse", text, &[("pairs", pairs as f64), ("opposite", opposite as f64)]));
    }
}

fn sides(facts: &Facts, all: &mut Vec<Evidence>) {
    let sides = &facts.sides;
    if sides.panics() > 0 {
        let place = sides.panic.as_ref().map(|(location, message)| format!(", at {location}: {message}"));
        let text = format!(
            "the function panics for {} as source and {} as follow-up{}",
            plural(sides.source_panics, "input"),
            grouped(sides.follow_up_panics),
            place.unwrap_or_default()
        );
        let numbers = [("source", sides.source_panics as f64), ("follow_up", sides.follow_up_panics as f64)];
        all.push(Evidence::new("panic", text, &numbers));
    }
    if let Some(Panics { region, checked, wrong }) = &facts.panics {
        let looked_at = plural(*checked, "input");
        let text = match wrong {
            0 => format!("it panics just when `{region}`, right for all {looked_at} looked at"),
            wrong => format!("it panics when `{region}`, with {} among {looked_at}", plural(*wrong, "exception")),
        };
        let numbers = [("checked", *checked as f64), ("wrong", *wrong as f64)];
        all.push(Evidence::new("panic-region", text, &numbers));
    }
    if sides.deaths > 0 {
        let stages: Vec<String> =
            sides.stages.iter().map(|(stage, count)| format!("{} {stage}", grouped(*count))).collect();
        let colon = if stages.is_empty() { "" } else { ": " };
        let text = format!("{} ended the process{colon}{}", plural(sides.deaths, "input"), stages.join(", "));
        all.push(Evidence::new("death", text, &[("inputs", sides.deaths as f64)]));
    }
    if sides.nan_on_one_side + sides.nan_violated > 0 {
        let checks = [(sides.nan_on_one_side, "incomparable check"), (sides.nan_violated, "violated check")];
        let checks = checks.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| plural(count, noun));
        let text = format!(
            "NaN in one output and not in the other: {} with outputs",
            checks.collect::<Vec<_>>().join(" and ")
        );
        let numbers = [
            ("one_side", sides.nan_on_one_side as f64),
            ("incomparable", sides.incomparable as f64),
            ("violated", sides.nan_violated as f64),
        ];
        all.push(Evidence::new("nan", text, &numbers));
    }
    if sides.infinite_on_one_side > 0 {
        let text = format!(
            "overflow, one output infinite and the other not: {} with outputs",
            plural(sides.infinite_on_one_side, "violated check")
        );
        all.push(Evidence::new("overflow", text, &[("one_side", sides.infinite_on_one_side as f64)]));
    }
}

fn declared(facts: &Facts, all: &mut Vec<Evidence>) {
    if let Some(declared) = &facts.declared {
        let text = match (&declared.fault, declared.violated, declared.held) {
            (Some(fault), ..) => format!("declared to hold when `{}`, which cannot be used: {fault}", declared.text),
            (None, 0, 0) => {
                format!("violated just where the suite says: it is declared to hold when `{}`", declared.text)
            }
            (None, violated, held) => format!(
                "declared to hold when `{}`: {} violated there, {} held elsewhere",
                declared.text,
                plural(violated, "input"),
                grouped(held)
            ),
        };
        let numbers = [("violated", declared.violated as f64), ("held", declared.held as f64)];
        all.push(Evidence::new("expectation", text, &numbers));
    } else if facts.has_precondition && facts.violated > 0 {
        let text = "the relation has a precondition, and is violated where that is met".into();
        all.push(Evidence::new("precondition", text, &[("violated", facts.violated as f64)]));
    } else if facts.others_declared > 0 && facts.violated > 0 {
        let text = format!(
            "the suite says of {} when {}, and of this one nothing: whoever wrote it believed that it always holds",
            plural(facts.others_declared as u64, "other relation"),
            if facts.others_declared == 1 { "it holds" } else { "they hold" },
        );
        all.push(Evidence::new("belief", text, &[("others_declared", facts.others_declared as f64)]));
    }
}

fn rate(facts: &Facts, all: &mut Vec<Evidence>) {
    let Some(rate) = facts.rate else { return };
    let (low, high) = rate.interval;
    let text = format!(
        "violated by {} of {} ({:.2} %, 95 % interval {low:.2} to {high:.2})",
        grouped(facts.violated),
        plural(facts.judged, "distinct input"),
        rate.violated_percent
    );
    let numbers = [
        ("violated", facts.violated as f64),
        ("judged", facts.judged as f64),
        ("percent", rate.violated_percent),
        ("low", low),
        ("high", high),
    ];
    all.push(Evidence::new("rate", text, &numbers));
}

fn shape(facts: &Facts, all: &mut Vec<Evidence>) {
    let (found, is_part) = match &facts.shape {
        Shape::Condition(found) => (found, false),
        Shape::Unexplained(Some(found)) => (found, true),
        Shape::Unexplained(None) => {
            let text = "no condition over the inputs tells violated from held: a part of the vocabulary may be missing";
            let numbers = [("violated", facts.violated as f64), ("judged", facts.judged as f64)];
            all.push(Evidence::new("no-condition", text.into(), &numbers));
            return;
        }
        _ => return,
    };
    all.push(condition(found, is_part));
    if !found.is_exact() {
        let text = format!(
            "{} violated outside the condition, {} held inside; {} of {} looked at lie beside its boundary",
            plural(found.missed, "input"),
            grouped(found.false_alarms),
            found.border.beside,
            found.border.looked_at
        );
        let numbers = [
            ("missed", found.missed as f64),
            ("false_alarms", found.false_alarms as f64),
            ("looked_at", found.border.looked_at as f64),
            ("beside", found.border.beside as f64),
        ];
        all.push(Evidence::new("exceptions", text, &numbers));
    }
    if let Some(constant) = found.least_natural {
        let (kind, text) = match constant.is_natural {
            true => ("natural-constant", "no constant of the condition looks arbitrary, the oddest is"),
            false => ("arbitrary-constant", "the condition has a constant that looks arbitrary:"),
        };
        all.push(Evidence::new(kind, format!("{text} {}", constant.number), &[("constant", constant.number)]));
    }
}

fn condition(found: &Explanation, is_part: bool) -> Evidence {
    let numbers = [
        ("literals", found.literals as f64),
        ("cost", f64::from(found.cost)),
        ("checked", found.checked as f64),
        ("survived", found.survived as f64),
    ];
    let literals = plural(found.literals as u64, "literal");
    let checked = plural(found.checked, "distinct input");
    if is_part {
        let text = format!("a part is explained by `{}` ({literals})", found.text);
        return Evidence::new("part", text, &numbers);
    }
    let place = if found.is_over_inputs { "" } else { ", over more than the source input" };
    let checked = if found.is_over_inputs { checked } else { format!("{checked} that are logged with follow-ups") };
    let survived = match found.survived {
        0 => String::new(),
        count => format!(", {} of which it was not learned from", grouped(count)),
    };
    if found.is_exact() {
        let text =
            format!("violated just when `{}` ({literals}{place}), right for all {checked}{survived}", found.text);
        Evidence::new("exact-condition", text, &numbers)
    } else {
        let text = format!("violated when `{}` ({literals}{place}), with exceptions among {checked}", found.text);
        Evidence::new("condition", text, &numbers)
    }
}

fn unchanged(facts: &Facts, all: &mut Vec<Evidence>) {
    let seen = facts.unchanged;
    let verdict = match (seen.is_violated_only_there(), seen.is_held_only_there()) {
        (true, _) => "violated",
        (_, true) => "held",
        _ => return,
    };
    let text = format!(
        "{verdict} just where the transformation changes nothing: {} of {} with follow-ups in the log",
        grouped(seen.violated + seen.held),
        plural(seen.violated + seen.held + seen.changed_violated + seen.changed_held, "check")
    );
    let numbers = [
        ("unchanged", (seen.violated + seen.held) as f64),
        ("changed", (seen.changed_violated + seen.changed_held) as f64),
    ];
    all.push(Evidence::new("unchanged", text, &numbers));
}

fn deviation(found: &Deviation) -> Evidence {
    let checks = plural(found.checks, "violated check");
    if let Some(tolerance) = found.rounding {
        let (kind, number) = match tolerance {
            Tolerance::Relative(number) => ("a relative", number),
            Tolerance::Absolute(number) => ("an absolute", number),
        };
        let text =
            format!("{checks} with outputs, all off by rounding: {kind} tolerance of {number:.1e} would absorb it");
        let is_absolute = f64::from(u8::from(matches!(tolerance, Tolerance::Absolute(_))));
        let numbers = [("tolerance", number), ("is_absolute", is_absolute), ("checks", found.checks as f64)];
        return Evidence::new("rounding", text, &numbers);
    }
    let (least, median, most) = (short(found.least), short(found.median), short(found.most));
    let by = match found.least == found.most {
        true => most,
        false => format!("{least} to {most}, {median} in the middle"),
    };
    let shown = match found.model {
        Model::Equal => "the outputs are equal".into(),
        Model::Scaled(factor) => format!("the follow-up's output is {} times the source's", short(factor)),
        Model::Shifted(by) => format!("the follow-up's output is the source's plus {}", short(by)),
    };
    let text = match found.most == 0.0 {
        true => format!("{shown} where it holds, and in {checks} with outputs too"),
        false => format!("where it holds {shown}; off by {by}: {checks} with outputs"),
    };
    let text = match found.rounded {
        0 => text,
        rounded => {
            format!("{text}, {} of them by rounding and {} by more", grouped(rounded), grouped(found.checks - rounded))
        }
    };
    let numbers = [
        ("least", found.least),
        ("median", found.median),
        ("most", found.most),
        ("checks", found.checks as f64),
        ("rounded", found.rounded as f64),
    ];
    Evidence::new("deviation", text, &numbers)
}

/// A number as short as it can be told from others.
fn short(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 { format!("{number}") } else { format!("{number:.3e}") }
}

fn causes(facts: &Facts, all: &mut Vec<Evidence>) {
    let name = |cell: usize| facts.names.get(cell).map_or("?", String::as_str);
    if let Some(cause) = &facts.cause {
        let cells: Vec<String> =
            cause.cells.iter().map(|&(cell, role)| format!("{} {}", name(cell), role.words())).collect();
        let (kind, whom) = match cells.len() {
            1 => ("cause", "this relation"),
            _ => ("shared-cause", "several relations"),
        };
        let text = format!("one region explains {whom}, `{}`: {}", cause.region, cells.join("; "));
        all.push(Evidence::new(kind, text, &[("cells", cause.cells.len() as f64)]));
    }
    let Others { sound, mixed, idle } = facts.others;
    if facts.violated > 0 && sound > 0 {
        let idle_too = match idle {
            0 => String::new(),
            idle => format!(", not counting {idle} whose follow-up is the source itself"),
        };
        let text = format!(
            "{sound} of {} of this function that can hold {} never violated{idle_too}",
            plural((sound + mixed) as u64, "other relation"),
            if sound == 1 { "is" } else { "are" },
        );
        let numbers = [("sound", sound as f64), ("mixed", mixed as f64), ("idle", idle as f64)];
        all.push(Evidence::new("others-hold", text, &numbers));
    }
    if let Some(overlap) = &facts.overlap {
        let text = format!(
            "{:.0} % of the violations are also violations of {}, {:.1} times as many as by chance",
            100.0 * overlap.share,
            name(overlap.other),
            overlap.lift
        );
        all.push(Evidence::new("overlap", text, &[("share", overlap.share), ("lift", overlap.lift)]));
    }
}
