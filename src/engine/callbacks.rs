//! What the quiet functions call back: a target whose types are forgotten.

use super::Target;
use crate::{Input, Output, Suite};
use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// What the quiet functions call back.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Callbacks {
    pub open: unsafe extern "C" fn(*mut c_void),
    pub unseen: unsafe extern "C" fn(*mut c_void),
}

impl Callbacks {
    /// The callbacks where nothing is instrumented.
    pub(super) fn of<In: Input, Out: Output>() -> Self {
        unsafe extern "C" fn open_here<In: Input, Out: Output>(target: *mut c_void) {
            // SAFETY: the caller's promise is the same.
            unsafe { open::<In, Out>(|_| (), target) }
        }
        unsafe extern "C" fn unseen_here<In: Input, Out: Output>(target: *mut c_void) {
            // SAFETY: as above.
            unsafe { unseen::<In, Out>(|_| (), target) }
        }
        Self { open: open_here::<In, Out>, unseen: unseen_here::<In, Out> }
    }
}

/// [`Target::open`] of a target whose types are forgotten; the suite is passed for its types alone.
///
/// # Safety
/// `target` must be the [`Target`] of this suite, and nobody else may use it.
#[doc(hidden)]
#[inline(always)]
pub unsafe fn open<In: Input, Out: Output>(_: fn(&mut Suite<In, Out>), target: *mut c_void) {
    // SAFETY: the caller's promise.
    let target = unsafe { &mut *target.cast::<Target<In, Out>>() };
    target.open();
}

/// [`Target::unseen`] of a target whose types are forgotten; the suite is passed for its types alone.
///
/// # Safety
/// As for [`open`].
#[doc(hidden)]
#[inline(always)]
pub unsafe fn unseen<In: Input, Out: Output>(_: fn(&mut Suite<In, Out>), target: *mut c_void) {
    // SAFETY: the caller's promise.
    let target = unsafe { &mut *target.cast::<Target<In, Out>>() };
    // A user's `Serialize` may panic; that must not cross the quiet function.
    let _ = catch_unwind(AssertUnwindSafe(|| target.unseen()));
}
