//! The README's example of an import works as it is written.

use crate::Place;
use std::process::Command;

const README: &str = include_str!("../../README.md");

#[test]
fn the_readme_s_example_works() {
    let (_, section) = README.split_once("\n## Logs of other tools\n").expect("the section is there");
    let section = section.split("\n## ").next().unwrap();
    let block =
        |kind: &str| section.split(&format!("```{kind}\n")).nth(1).and_then(|text| text.split("```").next()).unwrap();
    let place = Place::new("");
    place.write("verdicts.csv", block("csv"));
    place.write("mapping.toml", block("toml"));
    let mut shown = String::new();
    for command in section.lines().filter_map(|line| line.strip_prefix("$ bugornot ")) {
        let words = command.split_whitespace().map(|word| word.trim_matches('\''));
        let run =
            Command::new(env!("CARGO_BIN_EXE_bugornot")).args(words).current_dir(place.path("")).output().unwrap();
        assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
        shown.push_str(&String::from_utf8(run.stdout).unwrap());
    }
    assert_eq!(shown.matches("sort          66.7 %  2/3  0 %  0/3\n").count(), 2, "{shown}");
}
