//! Room for texts from a file, which nest as they like.

use super::{Fault, Result};
use std::{
    panic,
    thread::{self, Builder},
};

/// More than a text as long as a condition may be can fill, whatever it nests. What is not filled takes no memory.
const STACK: usize = 256 << 20;

/// Does something on a stack of its own.
pub(crate) fn with_room<T: Send>(run: impl FnOnce() -> T + Send) -> Result<T> {
    thread::scope(|scope| {
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let thread = thread.map_err(|error| Fault::new(format!("there is no room to read it: {error}")))?;
        Ok(thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked)))
    })
}
