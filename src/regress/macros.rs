//! What a generated test begins with: a suite's cell by name.

/// One cell of a suite, to be tested: the suite, the names of the function and of the relation, and the constants that the
/// test is about.
///
/// ```
/// use bugornot::{Equal, Suite, cell};
///
/// pub fn calculator(suite: &mut Suite<(i16, i16), i32>) {
///     let k = suite.constant("k", 2..=9);
///     suite.names(["a", "b"]);
///     suite.function("sub", |&(a, b)| i32::from(a) - i32::from(b));
///     suite.relation("swap", |&(a, b)| (b, a), Equal);
///     suite.relation("shift", move |&(a, b)| Some((a.checked_add(k)?, b.checked_add(k)?)), Equal);
/// }
///
/// let mut swap = cell!(calculator, "sub", "swap", [("k", "6")]);
/// swap.holds(&[(b"\x07\0\x07\0", "a = 7, b = 7")]);
/// swap.is_violated_just_when(|input, _| input.0 != input.1);
/// cell!(calculator, "sub", "shift", [("k", "6")]).always_holds();
/// ```
#[macro_export]
macro_rules! cell {
    ($suite:path, $function:expr, $relation:expr, $constants:expr $(,)?) => {
        $crate::regress::CellTest::new(
            $suite,
            &$crate::regress::Origin {
                suite: stringify!($suite),
                function: $function,
                relation: $relation,
                constants: &$constants,
                module: module_path!(),
                facts: $crate::__facts!(),
            },
        )
    };
}
