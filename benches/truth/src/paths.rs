//! The shortest path that means the same, without looking at any folder: no dots, no climbing back, no double slashes.

use crate::{
    subject::{
        Holds::{Always, When},
        Subject, global, harness, regional, rewrite,
    },
    version::{self, pick},
};
use bugornot::{Equal, NotEqual, Suite};

type Path = String;

fn simplify(path: &Path) -> Path {
    if version::is(10) {
        return from_the_end(path);
    }
    if version::is(11) {
        return by_pairs(path);
    }
    if pick!(1, false, path.starts_with("~/")) {
        return path.clone();
    }
    let is_absolute = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for part in path.split('/') {
        if pick!(2, false, part.len() > 8) {
            panic!("the name {part} is too long");
        }
        if part.is_empty() || part == "." {
            continue;
        }
        if pick!(3, part != "..", !part.starts_with("..")) {
            kept.push(part);
            continue;
        }
        match kept.last() {
            Some(&last) if pick!(4, last != "..", true) => _ = kept.pop(),
            None if pick!(5, is_absolute, false) => {}
            _ => kept.push(".."),
        }
    }
    kept.truncate(pick!(6, usize::MAX, 4));
    let joined = kept.join("/");
    if pick!(9, is_absolute, !is_absolute) {
        let root = pick!(7, "/", if path.starts_with("//") && !path.starts_with("///") { "//" } else { "/" });
        return format!("{root}{joined}");
    }
    if joined.is_empty() { pick!(8, ".", if path.contains("..") { "" } else { "." }).to_owned() } else { joined }
}

/// Goes from the last part to the first, and counts how many names are still to be left out.
fn from_the_end(path: &str) -> Path {
    let (mut kept, mut ups) = (Vec::new(), 0);
    for part in path.rsplit('/') {
        match part {
            "" | "." => {}
            ".." => ups += 1,
            _ if ups > 0 => ups -= 1,
            _ => kept.insert(0, part),
        }
    }
    match path.as_bytes().first() {
        Some(b'/') => format!("/{}", kept.join("/")),
        _ if ups == 0 && kept.is_empty() => ".".to_owned(),
        _ => [vec![".."; ups], kept].concat().join("/"),
    }
}

/// Takes out a name and the climb after it as long as there are such two.
fn by_pairs(path: &str) -> Path {
    let mut parts: Vec<&str> = path.split('/').filter(|part| !["", "."].contains(part)).collect();
    while let Some(at) = parts.windows(2).position(|pair| pair[0] != ".." && pair[1] == "..") {
        parts.drain(at..at + 2);
    }
    if path.starts_with('/') {
        let names: Vec<&str> = parts.into_iter().skip_while(|part| *part == "..").collect();
        return format!("/{}", names.join("/"));
    }
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// At most 16 symbols: slashes, dots, some letters and a tilde.
fn domain(path: Path) -> Path {
    let symbol = |symbol: char| ['/', '.', 'a', '/', '.', 'b', '/', '~', 'c', '.'][symbol as usize % 10];
    path.chars().take(16).map(symbol).collect()
}

/// How many folders it climbs above the one it begins in.
fn climbs(path: &str) -> i32 {
    let mut depth = 0;
    let depths = path.split('/').map(|part| {
        depth += match part {
            "" | "." => 0,
            ".." => -1,
            _ => 1,
        };
        -depth
    });
    depths.max().unwrap_or(0).max(0)
}

/// The path with every part changed.
fn each(path: &str, change: fn(&str) -> &str) -> Path {
    path.split('/').map(change).collect::<Vec<_>>().join("/")
}

fn there_and_back(path: &Path) -> Path {
    if path.is_empty() { "x/..".to_owned() } else { format!("{path}/x/..") }
}

fn without_climbing(path: &Path) -> Path {
    each(path, |part| if part == ".." { "." } else { part })
}

/// The path of the folder.
fn without_last(path: &Path) -> Path {
    let slash = pick!(12, path.rfind('/').unwrap_or(0), path.rfind('/').expect("a slash"));
    path[..slash].to_owned()
}

pub fn simple_path(suite: &mut Suite<Path, Path>) {
    SUBJECT.begin(suite);
    suite.names(["path"]);
    suite.normalise(domain);
    suite.function("simplify", simplify);
    suite.judge("simplify again", |_, output| output.clone(), |check| *check.output == check.follow_up_outputs[0]);
    suite.relation("double slashes", |path| path.replace('/', "//"), Equal);
    suite.relation("there and back", there_and_back, Equal);
    suite.relation("a dot in front", |path| format!("./{path}"), Equal).when(|path| !path.starts_with('/'));
    suite.relation("below a folder", |path| format!("z/{path}"), |source, follow_up| follow_up.ends_with(source));
    suite.relation("a dot at the end", |path| format!("{path}/."), Equal);
    suite.relation("from the root", |path| format!("/{path}"), Equal);
    suite.relation("one up", |path| format!("{path}/.."), NotEqual);
    suite.relation("no climbing", without_climbing, Equal);
    suite.relation("without the last part", without_last, |source, follow_up| source.starts_with(follow_up));
}

pub(crate) static SUBJECT: Subject<Path, Path> = Subject {
    name: "simple_path",
    suite: simple_path,
    domain,
    functions: &[simplify],
    cells: &[
        ("simplify x simplify again", Always),
        ("simplify x double slashes", Always),
        ("simplify x there and back", Always),
        ("simplify x a dot in front", Always),
        ("simplify x below a folder", When(|path| from_the_end(&format!("z/{path}")).ends_with(&from_the_end(path)))),
        ("simplify x a dot at the end", When(|path| !path.is_empty())),
        ("simplify x from the root", When(|path| path.starts_with('/'))),
        ("simplify x one up", When(|path| from_the_end(path) != "/")),
        ("simplify x no climbing", When(|path| from_the_end(&without_climbing(path)) == from_the_end(path))),
        (
            "simplify x without the last part",
            When(|path| from_the_end(path).starts_with(&from_the_end(&path[..path.rfind('/').unwrap_or(0)]))),
        ),
    ],
    versions: &[
        regional(1, "early return: paths in the home folder", |path| {
            path.starts_with("~/") && from_the_end(path) != *path
        }),
        regional(2, "names of more than eight symbols panic", |path| path.split('/').any(|part| part.len() > 8)),
        regional(3, "names that begin with two dots climb", |path| {
            let climbing = each(path, |part| if part.starts_with("..") { ".." } else { part });
            from_the_end(&climbing) != from_the_end(path)
        }),
        regional(4, "climbing twice is taken back", |path| !path.starts_with('/') && climbs(path) > 1),
        regional(5, "missing: nothing is above the root", |path| path.starts_with('/') && climbs(path) > 0),
        regional(6, "no more than four parts", |path| {
            from_the_end(path).split('/').filter(|part| !part.is_empty()).count() > 4
        }),
        regional(7, "special case: two slashes in front", |path| path.starts_with("//") && !path.starts_with("///")),
        regional(8, "wrong default: nothing left after climbing", |path| {
            from_the_end(path) == "." && path.contains("..")
        }),
        global(9, "absolute and relative are swapped"),
        rewrite(10, "from the end"),
        rewrite(11, "pair by pair"),
        harness(12, "a transformation that panics without a slash"),
    ],
    file: file!(),
    source: include_str!("paths.rs"),
};

#[cfg(test)]
#[test]
fn the_truth_of_paths_is_true() {
    crate::check::check(&SUBJECT);
}
