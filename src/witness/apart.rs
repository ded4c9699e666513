//! What tells two inputs of opposite verdicts apart: fields that differ, and statements that are true of one alone.

use crate::{
    clean::Cleaned,
    explain::usable,
    feature::{Bits, Frame, Literal, Look},
    hint::Evidence,
    log::{Header, Row},
    terminal::{grouped, plural},
};

/// How many statements are told, and how many fields.
const MOST: usize = 3;
/// A statement tells something if it is true of this much more of the violated inputs than of the held ones.
const TELLS: f64 = 0.1;

/// A statement that is true of the violated input and not of the held one.
struct Apart {
    literal: Literal,
    /// Of how many violated and held inputs that were looked at it is true.
    violated: u64,
    held: u64,
}

/// What tells the two inputs of a cell apart, as evidence; the frame is that of all cells.
pub(crate) fn apart(cleaned: &Cleaned, frame: &Frame, cell: usize, [violated, held]: [&Row; 2]) -> Evidence {
    let (found, all) = telling(cleaned, frame, cell, [violated, held]);
    let of = |it: &Apart| {
        let text = it.literal.write(frame, &frame.constants);
        let (violated, held) = (grouped(it.violated), grouped(it.held));
        format!(
            "`{text}` (so are {violated} of {} and {held} of {} held ones that were looked at)",
            plural(all[0], "violated input"),
            grouped(all[1])
        )
    };
    let statements: Vec<String> = found.iter().map(of).collect();
    let differing = differing(&cleaned.header, violated, held);
    let text = match &statements[..] {
        [] => {
            format!(
                "{differing}; no statement that was tried tells these and others apart: `observe!` a feature that does"
            )
        }
        some => format!("{differing}; true of the violated one alone: {}", some.join(", ")),
    };
    let best = found.first().map_or([0, 0], |best| [best.violated, best.held]);
    Evidence::nearest_pair(text, best, all)
}

/// The statements that are true of the violated row alone and tell the most of all others, and how many violated and held
/// inputs were looked at.
fn telling(cleaned: &Cleaned, frame: &Frame, cell: usize, [violated, held]: [&Row; 2]) -> (Vec<Apart>, [u64; 2]) {
    let rows = usable(cleaned);
    let with = |is_violated| Bits::from_fn(rows.len(), |row| rows[row].is_violated(cell) == Some(is_violated));
    let (all_violated, all_held) = (with(true), with(false));
    let (most_violated, most_held) = (all_violated.count(), all_held.count());
    let (one, other) = (Look::new(frame, violated), Look::new(frame, held));
    let mut found = Vec::new();
    for (predicate, bits) in &frame.base {
        let literal = Literal { predicate: predicate.clone(), is_true: true };
        let is_true = literal.test(&one);
        if is_true == literal.test(&other) {
            continue;
        }
        let count = |all: &Bits| if is_true { all.common(bits) } else { all.count() - all.common(bits) };
        found.push(Apart {
            violated: count(&all_violated),
            held: count(&all_held),
            literal: Literal { is_true, ..literal },
        });
    }
    // What is true of most of the other violated inputs too, and of few held ones, is the likeliest to be the reason.
    let share = |count: u64, all: u64| count as f64 / all.max(1) as f64;
    let tells = |it: &Apart| share(it.violated, most_violated) - share(it.held, most_held);
    found.retain(|it| tells(it) >= TELLS);
    found.sort_by(|one, other| {
        let cost = |it: &Apart| it.literal.predicate.cost();
        tells(other).total_cmp(&tells(one)).then_with(|| cost(one).cmp(&cost(other)))
    });
    // Two that are true of as many say the same in other words.
    found.dedup_by_key(|it| (it.violated, it.held));
    found.truncate(MOST);
    (found, [most_violated, most_held])
}

/// In which fields and parameters two inputs differ, in words.
fn differing(header: &Header, one: &Row, other: &Row) -> String {
    let fields = one.names.iter().zip(one.fields.iter().zip(&other.fields));
    let fields = fields.chain(header.parameters.iter().zip(one.parameters.iter().zip(&other.parameters)));
    let names: Vec<String> =
        fields.filter(|(_, (one, other))| one != other).map(|(name, _)| format!("`{name}`")).collect();
    match names.len() {
        0 => "the two differ in no field".into(),
        count if count > MOST => format!("the two differ in {}, .. ({count} fields)", names[..MOST].join(", ")),
        _ => format!("the two differ in {}", names.join(", ")),
    }
}
