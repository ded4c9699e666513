//! The fuzz crate in the copy: what it needs from outside of what was copied stays where it is.
//!
//! cargo-mutants sees to that for the manifest at the root of the copy only.

use std::path::{Component, Path, PathBuf};
use toml_edit::{DocumentMut, Item};

const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// A manifest in which paths that lead out of `root` are whole. `folder` is where it stood before it was copied.
pub(super) fn rebased(manifest: &str, folder: &Path, root: &Path) -> Option<String> {
    let mut document: DocumentMut = manifest.parse().ok()?;
    let mut tables: Vec<&mut Item> = Vec::new();
    for (name, item) in document.iter_mut() {
        match name.get() {
            "target" => tables.extend(items(item).flat_map(items_of_target)),
            "patch" => tables.extend(items(item)),
            name if TABLES.contains(&name) => tables.push(item),
            _ => {}
        }
    }
    tables.into_iter().flat_map(items).for_each(|dependency| rebase(dependency, folder, root));
    Some(document.to_string())
}

/// All that stands in a table.
fn items(item: &mut Item) -> impl Iterator<Item = &mut Item> {
    item.as_table_like_mut().into_iter().flat_map(|table| table.iter_mut()).map(|(_, item)| item)
}

/// The dependencies of one kind of machine.
fn items_of_target(target: &mut Item) -> impl Iterator<Item = &mut Item> {
    let table = target.as_table_like_mut().into_iter().flat_map(|table| table.iter_mut());
    table.filter(|(name, _)| TABLES.contains(&name.get())).map(|(_, item)| item)
}

fn rebase(dependency: &mut Item, folder: &Path, root: &Path) {
    let Some(path) = dependency.as_table_like_mut().and_then(|table| table.get_mut("path")) else { return };
    let whole = path.as_str().map(|path| without_dots(&folder.join(path)));
    if let Some(whole) = whole.filter(|whole| !whole.starts_with(root)).as_deref().and_then(Path::to_str) {
        *path = toml_edit::value(whole);
    }
}

/// A path without `.` and `..`.
fn without_dots(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = path.pop(),
            part => path.push(part),
        }
        path
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_that_lead_out_of_the_copy_are_changed() {
        let manifest = "[dependencies]\nmoney = { path = \"..\" } # the crate\nrates = { path = \"../../rates\" }\nserde = \"1\"\n\
             [target.'cfg(unix)'.dependencies]\nhost = { path = \"../../host\" }\n\
             [patch.crates-io]\nabs = { path = \"/else\" }\n[dev-dependencies.more]\npath = \"./more\"\n";
        let expected = manifest.replace("../../rates", "/home/rates").replace("../../host", "/home/host");
        assert_eq!(rebased(manifest, Path::new("/home/money/fuzz"), Path::new("/home/money")).unwrap(), expected);
        assert_eq!(rebased("[", Path::new("/"), Path::new("/")), None);
    }
}
