//! Writes or edits the fuzz crate's manifest, in cargo-fuzz's form.

use super::Crate;
use anyhow::{Context, Result, bail};
use std::path::Path;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value, value};

/// A new manifest without dependencies and targets.
pub(super) fn fresh(user: &str) -> Result<DocumentMut> {
    let text = format!(
        r#"[package]
name = "{user}-fuzz"
version = "0.0.0"
edition = "2024"
publish = false

[package.metadata]
cargo-fuzz = true

[dependencies]

[lints.rust]
unexpected_cfgs = {{ level = "warn", check-cfg = ['cfg(fuzzing)'] }}

# A workspace of its own, whatever the crate around it belongs to.
[workspace]
members = ["."]
"#
    );
    text.parse().context("the package's name does not fit into a manifest")
}

/// Adds the dependencies that are missing, and the suite's target.
pub(super) fn add(document: &mut DocumentMut, user: &Crate, suite: &str) -> Result<()> {
    check_edition(document)?;
    let dependencies = document.entry("dependencies").or_insert_with(toml_edit::table);
    let dependencies = dependencies.as_table_like_mut().context("its `dependencies` are no table; correct it first")?;
    depend(dependencies, "afl", "0.18", &[])?;
    depend(dependencies, "arbitrary", "1.4", &["derive"])?;
    depend(dependencies, "libfuzzer-sys", "0.4", &[])?;
    depend(dependencies, "serde", "1", &["derive"])?;
    if !dependencies.contains_key("bugornot") {
        dependencies.insert("bugornot", own_line(&[]));
    }
    if user.library.is_some() && !dependencies.contains_key(&user.name) {
        let mut line = InlineTable::new();
        line.insert("path", "..".into());
        dependencies.insert(&user.name, value(line));
    }
    // What `replay!` and generated tests need.
    let for_tests = document.entry("dev-dependencies").or_insert_with(toml_edit::table);
    let for_tests = for_tests.as_table_like_mut().context("its `dev-dependencies` are no table; correct it first")?;
    if !for_tests.contains_key("bugornot") {
        for_tests.insert("bugornot", own_line(&["replay"]));
    }
    add_bin(document, suite)
}

/// The first edition has other paths, and the example would not compile.
fn check_edition(document: &DocumentMut) -> Result<()> {
    let edition = document.get("package").and_then(|package| package.get("edition"));
    if edition.is_none_or(|edition| edition.as_str() == Some("2015")) {
        bail!("its edition is 2015; set `edition = \"2024\"` in its `[package]` first");
    }
    Ok(())
}

/// Adds a dependency, or the features it lacks.
fn depend(dependencies: &mut dyn TableLike, name: &str, version: &str, features: &[&str]) -> Result<()> {
    let Some(item) = dependencies.get_mut(name) else {
        dependencies.insert(name, line(version, features));
        return Ok(());
    };
    if features.is_empty() {
        return Ok(());
    }
    if let Some(version) = item.as_str().map(str::to_owned) {
        *item = line(&version, features);
        return Ok(());
    }
    let table = item
        .as_table_like_mut()
        .with_context(|| format!("its dependency `{name}` makes no sense; correct it first"))?;
    let listed = table.entry("features").or_insert_with(|| value(Array::new()));
    let listed = listed
        .as_array_mut()
        .with_context(|| format!("the features of its dependency `{name}` are no list; correct it first"))?;
    for &feature in features {
        if !listed.iter().any(|known| known.as_str() == Some(feature)) {
            listed.push(feature);
        }
    }
    Ok(())
}

fn line(version: &str, features: &[&str]) -> Item {
    if features.is_empty() {
        return value(version);
    }
    let mut line = InlineTable::new();
    line.insert("version", version.into());
    line.insert("features", Value::Array(features.iter().copied().collect()));
    value(line)
}

/// The dependency on bugornot itself: this version, and from this checkout if it is one.
fn own_line(features: &[&str]) -> Item {
    let mut line = InlineTable::new();
    line.insert("version", env!("CARGO_PKG_VERSION").into());
    line.insert("default-features", false.into());
    if !features.is_empty() {
        line.insert("features", Value::Array(features.iter().copied().collect()));
    }
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR"));
    if is_checkout(checkout)
        && let Some(path) = checkout.to_str()
    {
        line.insert("path", path.into());
    }
    value(line)
}

/// Whether bugornot's sources are there, and not as a package from a registry.
fn is_checkout(folder: &Path) -> bool {
    let manifest =
        std::fs::read_to_string(folder.join("Cargo.toml")).ok().and_then(|text| text.parse::<DocumentMut>().ok());
    let name = manifest.as_ref().and_then(|manifest| manifest.get("package")?.get("name")?.as_str());
    name == Some(env!("CARGO_PKG_NAME")) && !folder.join("Cargo.toml.orig").exists()
}

fn add_bin(document: &mut DocumentMut, suite: &str) -> Result<()> {
    let bins = document.entry("bin").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let bins = bins
        .as_array_of_tables_mut()
        .context("its `bin` is no list of tables; write each target as `[[bin]]` first")?;
    if bins.iter().any(|bin| bin.get("name").and_then(Item::as_str) == Some(suite)) {
        bail!("it has a target of that name already, and nothing was changed; choose another name with `--suite`");
    }
    let mut bin = Table::new();
    bin.insert("name", value(suite));
    bin.insert("path", value(format!("fuzz_targets/{suite}.rs")));
    for off in ["test", "doc", "bench"] {
        bin.insert(off, value(false));
    }
    bins.push(bin);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_existing_manifest_keeps_its_comments_and_gets_what_it_lacks() {
        let text = "\
# mine
[package]
name = \"x-fuzz\" # a name
edition = \"2021\"

[dependencies]
serde = \"1.0.100\"   # pinned
arbitrary = { version = \"1\", optional = false }
libfuzzer-sys = { version = \"0.4\", features = [\"arbitrary-derive\"] }

[dependencies.x]
path = \"..\"

[[bin]]
name = \"old\"
path = \"fuzz_targets/old.rs\"
";
        let mut document: DocumentMut = text.parse().unwrap();
        let user = Crate { name: "x".into(), library: Some("x".into()) };
        add(&mut document, &user, "new").unwrap();
        let text = document.to_string();
        for kept in [
            "# mine",
            "# a name",
            "features = [\"arbitrary-derive\"]",
            "[dependencies.x]\npath = \"..\"",
            "name = \"old\"",
        ] {
            assert!(text.contains(kept), "{kept} is missing in\n{text}");
        }
        for added in [
            "serde = { version = \"1.0.100\", features = [\"derive\"] }",
            "arbitrary = { version = \"1\", optional = false , features = [\"derive\"] }",
            "afl = \"0.18\"",
            "[[bin]]\nname = \"new\"",
            "[dev-dependencies]\nbugornot = { version",
            "features = [\"replay\"]",
        ] {
            assert!(text.contains(added), "{added} is missing in\n{text}");
        }
        assert!(add(&mut document, &user, "new").is_err());
    }
}
