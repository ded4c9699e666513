//! A mutation analysis as JSON; its schema is in the README.

use super::{
    Analysis, Mutant, Record, Tests,
    analysis::{Score, is_killed_by_ours, is_killed_by_own, of_set},
};
use serde_json::{Value as Json, json};

/// The version of the schema.
const SCHEMA: u32 = 1;

/// An analysis as JSON.
pub(crate) fn json(analysis: &Analysis) -> String {
    let cells = analysis.cells.iter().zip(analysis.of_cells());
    let relations = analysis.relations().into_iter().zip(analysis.of_relations());
    let whole = json!({
        "schema": SCHEMA,
        "suite": analysis.suite,
        "tested": analysis.tested.len(),
        "unviable": analysis.unviable,
        "killed": analysis.count(is_killed_by_ours),
        "inputs": (0..analysis.sets.len()).map(|set| of_inputs(analysis, set)).collect::<Vec<_>>(),
        "generated_tests": tests(analysis, analysis.generated, Tests::Generated),
        "own_tests": tests(analysis, analysis.own, Tests::Own),
        "cells": cells.map(|((function, relation), Score { killed, alone })| json!({
            "function": function, "relation": relation, "killed": killed, "alone": alone,
        })).collect::<Vec<_>>(),
        "relations": relations.map(|(relation, Score { killed, alone })| json!({
            "relation": relation, "killed": killed, "alone": alone, "adds_nothing": alone == 0,
        })).collect::<Vec<_>>(),
        "enough": analysis.enough(),
        "mutants": analysis.tested.iter().map(|tested| of_mutant(analysis, tested)).collect::<Vec<_>>(),
        "notes": analysis.notes,
    });
    format!("{whole:#}\n")
}

fn of_inputs(analysis: &Analysis, set: usize) -> Json {
    json!({
        "folder": analysis.sets[set].name,
        "count": analysis.sets[set].inputs,
        "killed": analysis.killed_by_set(set),
        "crashed": analysis.crashed_by_set(set),
    })
}

fn tests(analysis: &Analysis, count: Option<usize>, tests: Tests) -> Json {
    count.map_or(Json::Null, |count| json!({"count": count, "killed": analysis.killed_by_tests(tests)}))
}

fn of_mutant(analysis: &Analysis, (mutant, record): &(Mutant, Record)) -> Json {
    let killed_by = |set: usize| {
        of_set(record, set).map_or(Json::Null, |noticed| {
            let cells = noticed.cells.iter().filter_map(|&cell| analysis.cells.get(cell));
            json!({
                "killed": noticed.is_killed(),
                "cells": cells.map(|(function, relation)| json!([function, relation])).collect::<Vec<_>>(),
                "beside": noticed.beside,
                "crashed": noticed.crash,
            })
        })
    };
    json!({
        "file": mutant.file,
        "line": mutant.line,
        "column": mutant.column,
        "change": mutant.change,
        "killed": is_killed_by_ours(record),
        "survives": !is_killed_by_ours(record) && !is_killed_by_own(record),
        "inputs": (0..analysis.sets.len()).map(killed_by).collect::<Vec<_>>(),
        "generated_tests": record.is_killed_by(Tests::Generated),
        "own_tests": record.is_killed_by(Tests::Own),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::analysis::tests::analysis;

    #[test]
    fn each_mutant_says_who_kills_it() {
        let whole: Json = serde_json::from_str(&json(&analysis())).unwrap();
        assert_eq!((&whole["schema"], &whole["killed"], &whole["unviable"]), (&1.into(), &3.into(), &1.into()));
        assert_eq!(whole["relations"][2], json!({"relation": "copy", "killed": 1, "alone": 0, "adds_nothing": true}));
        assert_eq!(whole["own_tests"], json!({"count": 4, "killed": 3}));
        assert_eq!(whole["generated_tests"], Json::Null);
        let (second, last) = (&whole["mutants"][1], &whole["mutants"][4]);
        assert_eq!(second["inputs"][0]["cells"], json!([["add", "grow"], ["sub", "grow"]]));
        assert_eq!((&second["own_tests"], &second["survives"]), (&true.into(), &false.into()));
        assert_eq!(
            (&last["line"], &last["survives"], &last["generated_tests"]),
            (&7.into(), &true.into(), &Json::Null)
        );
    }
}
