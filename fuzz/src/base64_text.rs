//! Three engines of `base64`: `padded` and `unpadded` insist on what they write themselves, `lenient` pads and does
//! not insist on it. Each encodes plain bytes, and decodes coded text.
//!
//! | holds when | padded | unpadded | lenient |
//! |---|---|---|---|
//! | round trip | always | always | plain, or coded as it would code it |
//! | append | `len % 3 == 0` | always | `len % 3 == 0` |
//! | shorten | `len % 3 == 1` | the letter before is as it was* | `len % 3 == 1` |
//! | blocks | always | always | always |
//! | newline | it is refused anyway | it is refused anyway | it is refused anyway |
//! | invert | never | never | never |
//!
//! *`len % 3 == 1`, or `len % 3 == 2` and the last byte is below 16, or `len % 3 == 0` and it is below 64: the bits it
//! leaves in the letter before are zero.
//!
//! `newline` applies to coded text; `round trip` to all that is not refused; the others to plain bytes, as many as they
//! need: `shorten` and `invert` 1, `blocks` 6.

use arbitrary::Arbitrary;
use base64::{
    Engine, alphabet,
    engine::general_purpose::{GeneralPurpose, PAD_INDIFFERENT, STANDARD, STANDARD_NO_PAD},
};
use bugornot::{Equal, IntoJudgement, Judgement, PermutationOf, PrefixOf, Suite, any};
use serde::Serialize;

#[derive(Arbitrary, Serialize, Clone, Debug, PartialEq)]
pub enum Message {
    Plain(Vec<u8>),
    Coded(String),
}
use Message::{Coded, Plain};

const LENIENT: GeneralPurpose =
    GeneralPurpose::new(&alphabet::STANDARD, PAD_INDIFFERENT.with_decode_allow_trailing_bits(true));
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
const MOST_BYTES: usize = 9;
const MOST_LETTERS: usize = 12;

/// Encodes what is plain, decodes what is coded; nothing if that is refused.
fn convert(engine: &GeneralPurpose, message: &Message) -> Option<Message> {
    match message {
        Plain(bytes) => Some(Coded(engine.encode(bytes))),
        Coded(text) => engine.decode(text).ok().map(Plain),
    }
}

/// Short, and text of letters that occur in coded text: hardly any other would be decoded.
fn tidy(message: Message) -> Message {
    match message {
        Plain(bytes) => Plain(bytes.into_iter().take(MOST_BYTES).collect()),
        Coded(text) => {
            let letters = text.chars().take(MOST_LETTERS);
            Coded(letters.map(|letter| char::from(LETTERS[letter as usize % LETTERS.len()])).collect())
        }
    }
}

/// Makes a transformation of plain bytes one of messages; it does not apply to text.
fn plain(change: impl Fn(Vec<u8>) -> Option<Vec<u8>>) -> impl Fn(&Message) -> Option<Message> {
    move |message| match message {
        Plain(bytes) => change(bytes.clone()).map(Plain),
        Coded(_) => None,
    }
}

/// Makes a relation between coded texts one between outputs.
fn coded<V: IntoJudgement>(
    holds: impl Fn(&String, &String) -> V,
) -> impl Fn(&Option<Message>, &Option<Message>) -> Judgement {
    move |source, follow_up| match (source, follow_up) {
        (Some(Coded(source)), Some(Coded(follow_up))) => holds(source, follow_up).into_judgement(),
        _ => Judgement::Violated,
    }
}

pub fn base64_text(suite: &mut Suite<Message, Option<Message>>) {
    let byte = suite.parameter("byte", any::<u8>());
    suite.names(["message"]);
    suite.normalise(tidy);
    suite.examples(["", "Zg", "Zg==", "Zh==", "Zm9v"].map(|text| Coded(text.into())));
    suite.examples((0..=6).map(|length| Plain(b"foobar"[..length].into())));

    suite.function("padded", |message| convert(&STANDARD, message));
    suite.function("unpadded", |message| convert(&STANDARD_NO_PAD, message));
    suite.function("lenient", |message| convert(&LENIENT, message));

    suite
        .judge(
            "round trip",
            |_, converted| converted.clone(),
            |check| check.follow_up_outputs[0].as_ref() == Some(check.input),
        )
        .describe("convert what came out: the input comes back");
    suite
        .relation(
            "append",
            plain(move |bytes| Some([bytes, vec![byte.get()]].concat())),
            coded(|source, follow_up| follow_up.len() > source.len()),
        )
        .describe("append a byte: the text gets longer");
    suite
        .relation("shorten", plain(|bytes| Some(bytes.split_last()?.1.to_vec())), coded(PrefixOf))
        .describe("leave out the last byte: the text begins as before");
    suite
        .relation(
            "blocks",
            plain(|mut bytes| {
                bytes.get_mut(..6)?.rotate_left(3);
                Some(bytes)
            }),
            coded(PermutationOf),
        )
        .describe("swap the first two blocks of three bytes: the same letters in another order");
    suite
        .relation(
            "newline",
            |message| match message {
                Plain(_) => None,
                Coded(text) => Some(Coded(format!("{text}\n"))),
            },
            Equal,
        )
        .describe("end the text with a newline");
    suite
        .relation("invert", plain(|bytes| (!bytes.is_empty()).then(|| bytes.iter().map(|byte| !byte).collect())), Equal)
        .describe("invert every bit");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{check, held_if};
    use bugornot::Verdict;

    #[test]
    fn the_table_is_true() {
        let conditional = [
            "padded x append",
            "padded x shorten",
            "padded x newline",
            "unpadded x shorten",
            "unpadded x newline",
            "lenient x round trip",
            "lenient x append",
            "lenient x shorten",
            "lenient x newline",
        ];
        check(base64_text, &conditional, |case| {
            let (function, relation) = case.cell.split_once(" x ").unwrap();
            let pads = function != "unpadded";
            held_if(match (case.input, relation) {
                (Plain(_), "round trip") => true,
                (Coded(text), "round trip" | "newline") => {
                    let strict = if pads { STANDARD } else { STANDARD_NO_PAD };
                    let is_canonical = strict.decode(text).is_ok();
                    let is_refused = if function == "lenient" { LENIENT.decode(text).is_err() } else { !is_canonical };
                    match relation {
                        "newline" => is_refused,
                        _ if is_refused => return Verdict::NotApplicable,
                        _ => is_canonical,
                    }
                }
                (Coded(_), _) | (Plain(_), "newline") => return Verdict::NotApplicable,
                (Plain(bytes), "append") => !pads || bytes.len() % 3 == 0,
                (Plain(bytes), "blocks") if bytes.len() < 6 => return Verdict::NotApplicable,
                (Plain(_), "blocks") => true,
                (Plain(bytes), "shorten" | "invert") if bytes.is_empty() => return Verdict::NotApplicable,
                (Plain(_), "invert") => false,
                (Plain(bytes), "shorten") => match bytes.len() % 3 {
                    1 => true,
                    2 => !pads && bytes[bytes.len() - 1] < 16,
                    _ => !pads && bytes[bytes.len() - 1] < 64,
                },
                _ => unreachable!("{}", case.cell),
            })
        });
    }
}
