//! A replay as JUnit XML, which CI systems show as tests: one test case for each input.

use super::{Finding, Replayed, ReplayedInput};
use std::fmt::Write;

/// A replay as JUnit XML.
pub(crate) fn junit(replayed: &Replayed) -> String {
    let (suite, count) = (attribute(&replayed.suite), replayed.inputs.len());
    let failures = replayed.inputs.iter().filter(|input| !input.compared.findings.is_empty()).count();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    _ = writeln!(text, "<testsuites name=\"bugornot replay\" tests=\"{count}\" failures=\"{failures}\">");
    _ = writeln!(text, "  <testsuite name=\"{suite}\" tests=\"{count}\" failures=\"{failures}\" errors=\"0\">");
    if !replayed.constants.is_empty() {
        text.push_str("    <properties>\n");
        for (name, value) in &replayed.constants {
            _ = writeln!(text, "      <property name=\"{}\" value=\"{}\"/>", attribute(name), attribute(value));
        }
        text.push_str("    </properties>\n");
    }
    replayed.inputs.iter().for_each(|input| push_case(&mut text, &suite, input));
    if !replayed.notes.is_empty() {
        _ = writeln!(text, "    <system-out>{}</system-out>", content(&replayed.notes.join("\n")));
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

fn push_case(text: &mut String, suite: &str, input: &ReplayedInput) {
    let name = attribute(&format!("{} ({})", input.path, input.compared.input));
    _ = write!(text, "    <testcase classname=\"{suite}\" name=\"{name}\"");
    if input.compared.findings.is_empty() {
        text.push_str("/>\n");
        return;
    }
    text.push_str(">\n");
    for finding in &input.compared.findings {
        let (kind, message) = match finding {
            Finding::Changed(changed) => (
                changed.word(),
                format!("{}: expected {}, actual {}", changed.cell(), changed.expected, changed.actual_word()),
            ),
            Finding::Stale(why) => ("stale", why.clone()),
        };
        let (kind, message) = (attribute(kind), attribute(&message));
        let body = content(&format!("{}\nreproduce: {}", details(finding), input.command));
        _ = writeln!(text, "      <failure type=\"{kind}\" message=\"{message}\">{body}</failure>");
    }
    text.push_str("    </testcase>\n");
}

fn details(finding: &Finding) -> String {
    let Finding::Changed(changed) = finding else { return String::new() };
    let mut lines = Vec::new();
    lines.extend(changed.decision.iter().map(|decision| format!("decided: {decision}")));
    lines.extend(changed.output.iter().map(|output| format!("output: {output}")));
    lines.extend(changed.follow_ups.iter().map(|(input, output)| format!("follow-up: {input} -> {output}")));
    lines.extend(changed.panic.iter().map(|panic| format!("panic: {panic}")));
    lines.join("\n")
}

/// Text inside quotes, where a line may not end.
fn attribute(text: &str) -> String {
    content(&crate::escape::escape(text)).replace('"', "&quot;").replace('\'', "&apos;")
}

/// Text between tags. XML has no way to write most control characters, so they are shown as escapes.
fn content(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(crate::escape::escape).collect();
    let is_allowed = |letter: &char| !matches!(letter, '\u{fffe}' | '\u{ffff}');
    let text: String = lines.join("\n").chars().filter(is_allowed).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_escaped() {
        assert_eq!(attribute("a<b>&\"'\n\u{0}\u{1b}ü"), "a&lt;b&gt;&amp;&quot;&apos;\\n\\u{0}\\u{1b}ü");
        assert_eq!(content("]]>\r\n\u{8}\u{ffff}"), "]]&gt;\n\\u{8}");
    }
}
