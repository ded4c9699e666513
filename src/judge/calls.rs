//! One check again, call by call: what `bugornot locate` looks at.

use super::{Judge, panics::Panics};
use crate::suite::{Cell, FollowUpsOf};

/// Runs a call and notes what it does.
type Watch<'run> = dyn FnMut(&mut dyn FnMut()) + 'run;

impl<In, Out> Judge<In, Out> {
    /// The calls of one check alone, each handed to `watch`: the source first, then the follow-ups as far as they come.
    /// Nothing else of the check is.
    pub(crate) fn calls(&self, cell: usize, input: &In, watch: &mut Watch<'_>) {
        let Some(&Cell { function, relation }) = self.cells.get(cell) else { return };
        let (call, relation) = (&*self.suite.functions[function].call, &self.suite.relations[relation]);
        let mut panics = Panics::default();
        let mut watched = |input: &In| {
            let mut output = None;
            watch(&mut || output = Panics::default().catch(|| call(input)).ok());
            output
        };
        let Some(output) = watched(input) else { return };
        let mut follow_ups = Vec::new();
        let applies = panics.catch(|| match &relation.follow_ups {
            _ if !relation.when.iter().all(|test| test(input)) => false,
            FollowUpsOf::Input(make) => make(input, &mut follow_ups),
            FollowUpsOf::Output(make) => make(input, &output, &mut follow_ups),
        });
        if matches!(applies, Ok(true)) {
            // What a panic ends has no more follow-ups.
            let _ = follow_ups.iter().all(|input| watched(input).is_some());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        judge::{Guarded, install_hook},
        suite::{Draws, Suite},
    };
    use std::{cell::RefCell, rc::Rc};

    #[test]
    fn each_call_is_watched_and_nothing_else() {
        let called: Rc<RefCell<Vec<i32>>> = Rc::default();
        let seen = called.clone();
        let suite = Suite::declare("s", Draws::seeded(0), |suite: &mut Suite<i32, i32>| {
            suite.function("other", |_| unreachable!("it is another cell's"));
            suite.function("f", move |&x| {
                seen.borrow_mut().push(x);
                assert!(x != 13, "unlucky");
                x
            });
            suite.relation("next", |x| vec![x + 1, x + 2], |_: &i32, _: &i32| -> bool { unreachable!("not judged") });
            suite.judge("last", |x, output| [x + output], |_| true).when(|&x| x > 0);
        });
        let judge = Judge::new(suite.unwrap());
        install_hook();
        let _guarded = Guarded::begin();
        let calls = |cell, input: i32| {
            let (mut watched, before) = (0, called.borrow().len());
            judge.calls(cell, &input, &mut |call| {
                watched += 1;
                call();
            });
            let inputs = called.borrow()[before..].to_vec();
            assert_eq!(inputs.len(), watched);
            inputs
        };
        // Cells: other x next, other x last, f x next, f x last.
        assert_eq!(calls(2, 1), [1, 2, 3]);
        assert_eq!(calls(2, 12), [12, 13]);
        assert_eq!(calls(2, 13), [13]);
        assert_eq!(calls(3, 4), [4, 8]);
        assert_eq!(calls(3, -4), [-4]);
        assert_eq!(calls(4, 1), [0; 0]);
    }
}
