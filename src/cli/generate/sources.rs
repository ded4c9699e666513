//! Where a type is that conditions name: looked for in the source of the suite's crate, because a log has only its name.

use std::{
    fs,
    path::{Path, PathBuf},
};
use syn::{Item, UseTree, Visibility};

/// How deeply modules may nest.
const DEEPEST: usize = 16;

/// The path of a public type, in the modules of this file that can be seen from outside; `prefix` is the file's own.
pub(super) fn find(file: &Path, prefix: &str, name: &str) -> Option<String> {
    let items = items(file)?;
    Module { items: &items, folder: file.parent()?.to_owned(), path: prefix.to_owned() }.find(name, DEEPEST)
}

struct Module<'file> {
    items: &'file [Item],
    /// Where the files of its modules are.
    folder: PathBuf,
    path: String,
}

impl Module<'_> {
    fn find(&self, name: &str, depth: usize) -> Option<String> {
        let is_here = |item: &Item| match item {
            Item::Enum(item) => is_public(&item.vis) && item.ident == name,
            Item::Use(item) => is_public(&item.vis) && gives(&item.tree, name),
            _ => false,
        };
        if self.items.iter().any(is_here) {
            return Some(format!("{}::{name}", self.path));
        }
        let depth = depth.checked_sub(1)?;
        self.items.iter().find_map(|item| self.find_inside(item, name, depth))
    }

    /// Looks in a public module of this one.
    fn find_inside(&self, item: &Item, name: &str, depth: usize) -> Option<String> {
        let Item::Mod(module) = item else { return None };
        let inner = module.ident.to_string();
        let (folder, path) = (self.folder.join(&inner), format!("{}::{inner}", self.path));
        if !is_public(&module.vis) {
            return None;
        }
        if let Some((_, items)) = &module.content {
            return Module { items, folder, path }.find(name, depth);
        }
        let items = items(&folder.with_extension("rs")).or_else(|| items(&folder.join("mod.rs")))?;
        Module { items: &items, folder, path }.find(name, depth)
    }
}

fn items(file: &Path) -> Option<Vec<Item>> {
    syn::parse_file(&fs::read_to_string(file).ok()?).ok().map(|file| file.items)
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether a `use` gives something this name.
fn gives(tree: &UseTree, name: &str) -> bool {
    match tree {
        UseTree::Path(path) => gives(&path.tree, name),
        UseTree::Name(last) => last.ident == name,
        UseTree::Rename(last) => last.rename == name,
        UseTree::Group(group) => group.items.iter().any(|tree| gives(tree, name)),
        UseTree::Glob(_) => false,
    }
}
