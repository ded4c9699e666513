//! A replay as JSON; its schema is in the README.

use super::{Finding, Replayed, ReplayedInput};
use serde_json::{Map, Value as Json, json};

/// The version of the schema.
const SCHEMA: u32 = 1;

/// A replay as JSON.
pub(crate) fn json(replayed: &Replayed) -> String {
    let constants: Map<String, Json> =
        replayed.constants.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    let whole = json!({
        "schema": SCHEMA,
        "suite": replayed.suite,
        "constants": constants,
        "changed": replayed.changed(),
        "against": replayed.against(),
        "settled": replayed.settled(),
        "stale": replayed.stale(),
        "notes": replayed.notes,
        "inputs": replayed.inputs.iter().map(of_input).collect::<Vec<_>>(),
    });
    format!("{whole:#}\n")
}

fn of_input(input: &ReplayedInput) -> Json {
    json!({
        "path": input.path,
        "input": input.compared.input,
        "kept": input.compared.kept,
        "reproduce": input.command,
        "findings": input.compared.findings.iter().map(of_finding).collect::<Vec<_>>(),
    })
}

fn of_finding(finding: &Finding) -> Json {
    match finding {
        Finding::Stale(why) => json!({"kind": "stale", "why": why}),
        Finding::Changed(changed) => {
            let follow_ups = changed.follow_ups.iter();
            let follow_ups: Vec<Json> =
                follow_ups.map(|(input, output)| json!({"input": input, "output": output})).collect();
            json!({
                "kind": changed.word(),
                "function": changed.function,
                "relation": changed.relation,
                "expected": changed.expected.word(),
                "actual": changed.actual.map(|verdict| verdict.word()),
                "output": changed.output,
                "follow_ups": follow_ups,
                "panic": changed.panic,
                "decision": changed.decision,
            })
        }
    }
}
