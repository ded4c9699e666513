//! What every family of cells is made of.
//!
//! This folder is compiled twice: into the test, which logs rows, and with `--cfg plain` next to the conditions that
//! the report printed, which are then held against the truth as the Rust they claim to be.

/// A cell whose truth is known.
pub struct Cell<In> {
    pub name: &'static str,
    /// When the relation is violated.
    pub truth: fn(&In) -> bool,
    pub expected: Expected,
}

/// What the analyser has to say about it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The truth, with at most so many literals.
    Exact(u64),
    /// The truth, with at most so many literals, although one verdict in a hundred is wrong.
    Noisy(u64),
    /// That the rows do not tell.
    Nothing,
}

/// Cells over one type of input.
pub struct Family<In: 'static> {
    pub name: &'static str,
    /// What takes an input apart, and what is done with the parts before a condition looks at them.
    pub pattern: &'static str,
    pub widen: &'static str,
    /// How many inputs it takes so that no other condition of this length is right about all of them.
    pub logged: usize,
    pub draw: fn(&mut Random) -> In,
    /// What the analyser was built with in mind, and what was looked at once it was built.
    pub cells: [&'static [Cell<In>]; 2],
}

impl<In> Family<In> {
    pub fn cells(&self) -> impl Iterator<Item = &'static Cell<In>> {
        self.cells.into_iter().flatten()
    }
}

/// Numbers that follow from a seed.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    /// A whole number such as a fuzzer makes: of any size up to `bits`, often small, of either sign.
    pub fn integer(&mut self, bits: u64) -> i64 {
        let width = self.below(bits + 1);
        let size = (self.next() & ((1 << width) - 1)) as i64;
        if self.one_in(2) { size } else { -size }
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

/// A number that has nothing to do with any property of the input.
pub fn scramble(parts: impl IntoIterator<Item = i64>) -> u64 {
    parts.into_iter().fold(7, |state, part| Random(state ^ part as u64).next())
}
