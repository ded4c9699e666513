//! Finds out where a suite is: what stands in its target's `fuzz!`, and where that comes from.

use crate::{cli::project::Project, regress::Home, terminal::shown};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Component, Path, PathBuf},
};
use syn::{Item, UseTree};

/// Where a suite is, for a test in this folder.
pub(super) fn find(project: &Project, suite: &str, tests: &Path) -> Result<Home> {
    let source = project.source(suite)?;
    let text = fs::read_to_string(source).with_context(|| format!("failed to read `{}`", shown(source)))?;
    let file = syn::parse_file(&text)
        .map_err(|error| anyhow::anyhow!("{error}"))
        .with_context(|| format!("`{}` is no Rust that can be read", shown(source)))?;
    let Some(path) = file.items.iter().find_map(fuzzed) else {
        bail!("`{}` has no line `bugornot::fuzz!({suite});`, so nobody knows where its suite is", shown(source));
    };
    Ok(match imported(&file, &path) {
        Some(path) => Home::Library(path),
        None => Home::Target { file: relative(tests, source), path: path.join("::") },
    })
}

/// The path in a `fuzz!`, if that is what an item is.
fn fuzzed(item: &Item) -> Option<Vec<String>> {
    let Item::Macro(item) = item else { return None };
    let is_fuzz = item.mac.path.segments.last().is_some_and(|name| name.ident == "fuzz");
    let path: syn::Path = item.mac.parse_body().ok().filter(|_| is_fuzz)?;
    Some(path.segments.iter().map(|segment| segment.ident.to_string()).collect())
}

/// The whole path of what the file calls by a shorter one; nothing if it is in the file itself.
fn imported(file: &syn::File, path: &[String]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    if matches!(first.as_str(), "crate" | "self") {
        return None;
    }
    let uses = file.items.iter().filter_map(|item| if let Item::Use(item) = item { Some(&item.tree) } else { None });
    let mut found = uses.filter_map(|tree| in_use(tree, first));
    if let Some(whole) = found.find(|whole| !matches!(whole[0].as_str(), "crate" | "self")) {
        return Some(whole.iter().chain(rest).cloned().collect::<Vec<_>>().join("::"));
    }
    let is_here = file.items.iter().any(|item| match item {
        Item::Fn(function) => function.sig.ident == first,
        Item::Mod(module) => module.ident == first,
        _ => false,
    });
    (!is_here && !rest.is_empty()).then(|| path.join("::"))
}

/// The path that a `use` gives a name to.
fn in_use(tree: &UseTree, name: &str) -> Option<Vec<String>> {
    match tree {
        UseTree::Path(path) => {
            let inner = in_use(&path.tree, name)?;
            Some([vec![path.ident.to_string()], inner].concat())
        }
        UseTree::Name(last) => (last.ident == name).then(|| vec![name.to_owned()]),
        UseTree::Rename(last) => (last.rename == name).then(|| vec![last.ident.to_string()]),
        UseTree::Group(group) => group.items.iter().find_map(|tree| in_use(tree, name)),
        UseTree::Glob(_) => None,
    }
}

/// A file, seen from a folder.
fn relative(folder: &Path, file: &Path) -> String {
    let parts = |path: &Path| path.components().map(|part| part.as_os_str().to_owned()).collect::<Vec<_>>();
    let (from, to) = (parts(folder), parts(file));
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from[shared..].iter().map(|_| Component::ParentDir.as_os_str().to_owned());
    let path: PathBuf = up.chain(to[shared..].iter().cloned()).collect();
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(text: &str) -> Option<String> {
        let file = syn::parse_file(text).unwrap();
        let path = file.items.iter().find_map(fuzzed).unwrap();
        imported(&file, &path)
    }

    #[test]
    fn a_suite_is_found_where_it_is_declared() {
        assert_eq!(home("use fuzz_crate::money;\nbugornot::fuzz!(money);").as_deref(), Some("fuzz_crate::money"));
        assert_eq!(home("bugornot::fuzz!(suites::deep::money);").as_deref(), Some("suites::deep::money"));
        let renamed = "use a::{b::{rates as money, c}, d};\nuse bugornot::fuzz;\nfuzz!(money);";
        assert_eq!(home(renamed).as_deref(), Some("a::b::rates"));
        assert_eq!(home("use a::b;\nbugornot::fuzz!(b::money);").as_deref(), Some("a::b::money"));
        assert_eq!(home("fn money() {}\nbugornot::fuzz!(money);"), None);
        assert_eq!(home("mod inner { pub fn money() {} }\nbugornot::fuzz!(inner::money);"), None);
    }

    #[test]
    fn a_file_is_seen_from_a_folder() {
        let seen = relative(Path::new("/x/fuzz/tests"), Path::new("/x/fuzz/fuzz_targets/a.rs"));
        assert_eq!(seen, "../fuzz_targets/a.rs");
    }
}
