//! From addresses of an executable to lines of source, by its debug information.

use super::{Check, Line, Sources, spectrum::Event};
use crate::engine::calls::{Block, Range};
use addr2line::{Loader, demangle_auto};
use anyhow::{Result, anyhow};
use std::{
    cell::RefCell,
    collections::HashMap,
    path::{Path, PathBuf},
};

/// Whose code a line is, in the order in which lines that tell as much are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Whose {
    /// The user's.
    Own,
    /// That of a package from elsewhere.
    Dependency,
    /// The closures of the suite, which call what is tested.
    Suite,
}

/// A package that the target is made of.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    /// Whether it is the user's own, and not one from a registry.
    pub(crate) is_own: bool,
}

/// The lines of the code that some checks run.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) lines: Vec<Line>,
    /// The lines of each block, in the order of its addresses, by position.
    pub(crate) blocks: HashMap<u32, Vec<usize>>,
    /// The line of each address.
    pub(crate) addresses: HashMap<u64, usize>,
}

impl Code {
    /// The lines that an event belongs to.
    pub(super) fn lines_of(&self, event: Event) -> Vec<usize> {
        let of_block = |block: u32| self.blocks.get(&block).map(Vec::as_slice).unwrap_or_default();
        match event {
            Event::Block(block) => of_block(block).to_vec(),
            // What decides stands at the end.
            Event::Step(from, _) => of_block(from).last().copied().into_iter().collect(),
            Event::Called(_, address) | Event::Compared(address, _) => {
                self.addresses.get(&address).copied().into_iter().collect()
            }
        }
    }
}

/// The debug information of a target.
pub(crate) struct Symbols<'run> {
    loader: Loader,
    suite: &'run str,
    packages: &'run [Package],
    /// All blocks, and their numbers in the order of their addresses.
    blocks: Vec<Block>,
    sorted: Vec<u32>,
    known: RefCell<HashMap<u64, Option<Line>>>,
    sources: &'run Sources,
}

impl<'run> Symbols<'run> {
    pub(crate) fn open(
        executable: &Path,
        suite: &'run str,
        packages: &'run [Package],
        blocks: Vec<Block>,
        sources: &'run Sources,
    ) -> Result<Self> {
        let loader = Loader::new(executable).map_err(|error| anyhow!("{error}"))?;
        let mut sorted: Vec<u32> = (0..).take(blocks.len()).collect();
        sorted.sort_by_key(|&block| blocks[block as usize].address);
        Ok(Self { loader, suite, packages, blocks, sorted, known: RefCell::default(), sources })
    }

    /// Where the user's functions are, and those of dependencies.
    pub(crate) fn ranges(&self) -> Vec<Range> {
        let entries: Vec<u64> = self
            .sorted
            .iter()
            .map(|&block| self.blocks[block as usize])
            .filter(|block| block.is_entry)
            .map(|block| block.address)
            .collect();
        let mut ranges = Vec::new();
        for (position, &from) in entries.iter().enumerate() {
            let Some(line) = self.line_at(from) else { continue };
            let to = self.end_of(from, entries.get(position + 1).copied());
            ranges.push(Range { from, to, is_own: line.whose != Whose::Dependency });
        }
        ranges
    }

    /// The end of the function that begins at an address, which another one follows.
    fn end_of(&self, from: u64, next: Option<u64>) -> u64 {
        let is_in = |address: u64| self.loader.find_symbol_info(address).is_some_and(|symbol| symbol.address() == from);
        // The last address that is known to be in it, and one that is not.
        let (mut inside, mut outside) = (from, next.unwrap_or(from + (1 << 24)));
        while inside + 1 < outside {
            let middle = inside + (outside - inside) / 2;
            if is_in(middle) { inside = middle } else { outside = middle }
        }
        outside
    }

    /// The lines of all that some checks run.
    pub(crate) fn code(&self, checks: &[Check]) -> Code {
        let mut code = Code::default();
        let mut numbers: HashMap<Line, usize> = HashMap::new();
        let mut number = |line: Line, lines: &mut Vec<Line>| {
            *numbers.entry(line).or_insert_with_key(|line| {
                lines.push(line.clone());
                lines.len() - 1
            })
        };
        for run in checks.iter().flat_map(|check| &check.runs) {
            for &(block, _) in &run.blocks {
                if !code.blocks.contains_key(&block) {
                    let lines = self.lines_of_block(block);
                    let lines = lines.into_iter().map(|line| number(line, &mut code.lines)).collect();
                    code.blocks.insert(block, lines);
                }
            }
            let called = run.called.iter().map(|&(_, address)| address);
            for address in called.chain(run.compared.iter().map(|&(address, _)| address)) {
                if !code.addresses.contains_key(&address)
                    && let Some(line) = self.line_at(address)
                {
                    let line = number(line, &mut code.lines);
                    code.addresses.insert(address, line);
                }
            }
        }
        code
    }

    /// The lines of a block: those of all addresses up to the next block of its function.
    fn lines_of_block(&self, block: u32) -> Vec<Line> {
        let Some(Block { address, .. }) = self.blocks.get(block as usize) else { return Vec::new() };
        let behind = self.sorted.partition_point(|&other| self.blocks[other as usize].address <= *address);
        let next = self.sorted.get(behind).map(|&next| self.blocks[next as usize].address);
        let rows = self.loader.find_location_range(*address, next.unwrap_or(address + 1));
        let mut lines: Vec<Line> = Vec::new();
        for (row, ..) in rows.into_iter().flatten() {
            let Some(line) = self.line_at(row.max(*address)).filter(|line| !self.sources.is_bare(line)) else {
                continue;
            };
            // The last mention counts: a block ends with what it decides.
            lines.retain(|other| *other != line);
            lines.push(line);
        }
        lines
    }

    /// The line of an address, if it is ours: where other code is inlined, the line that calls it.
    fn line_at(&self, address: u64) -> Option<Line> {
        if let Some(known) = self.known.borrow().get(&address) {
            return known.clone();
        }
        let line = self.find_line(address);
        self.known.borrow_mut().insert(address, line.clone());
        line
    }

    fn find_line(&self, address: u64) -> Option<Line> {
        let name = self.loader.find_symbol(address)?;
        let function = demangle_auto(name.into(), None).into_owned();
        let mut frames = self.loader.find_frames(address).ok()?;
        while let Some(frame) = frames.next().ok()? {
            let Some((file, number)) = frame.location.and_then(|location| location.file.zip(location.line)) else {
                continue;
            };
            if number > 0
                && let Some(whose) = self.whose(Path::new(file), &function)
            {
                return Some(Line { path: file.into(), number, function, whose });
            }
        }
        None
    }

    /// Whose code a file is; nothing for the standard library and for this crate.
    fn whose(&self, file: &Path, function: &str) -> Option<Whose> {
        let holds = |package: &&Package| file.starts_with(&package.folder);
        let package = self.packages.iter().filter(holds).max_by_key(|package| package.folder.as_os_str().len())?;
        match package.is_own {
            _ if package.name == env!("CARGO_PKG_NAME") => None,
            true if is_closure_of(function, self.suite) => Some(Whose::Suite),
            true => Some(Whose::Own),
            false => Some(Whose::Dependency),
        }
    }
}

/// Whether a function is a closure of the suite's declaration.
fn is_closure_of(function: &str, suite: &str) -> bool {
    let parts: Vec<&str> = function.split("::").collect();
    parts.windows(2).any(|pair| pair[0] == suite && pair[1].starts_with('{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closures_of_the_suite_are_told_from_other_code() {
        assert!(is_closure_of("suites::money::{{closure}}", "money"));
        assert!(is_closure_of("money::{closure#2}", "money"));
        assert!(is_closure_of("suites::money::money::{{closure}}", "money"));
        assert!(!is_closure_of("suites::money::add", "money"));
        assert!(!is_closure_of("money::add::{{closure}}", "money"));
        assert!(!is_closure_of("suites::money", "money"));
    }
}
