//! Panics at the edge of a piece of background work: they end the piece, as an error, and nothing else.
//!
//! What a piece of work has taken is given back by guards, since a panic unwinds through them.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{Error, ErrorKind, Result};

/// Runs a piece of work; a panic in it is an error of kind [`ErrorKind::Bug`] that has the panic's text.
///
/// Locks are not poisoned by it: what they guard must be whole at every point where the work may panic.
pub fn contain<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    if crate::sync::SCHEDULED {
        return work(); // its scheduler ends threads by panics of its own
    }
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        Err(Error::new(ErrorKind::Bug, format!("{what} panicked: {}", panic_text(panic.as_ref()))))
    })
}

/// What a panic said.
fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_text() {
        let error = contain("the test", || -> Result<()> { panic!("{} things", 3) }).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Bug);
        assert_eq!(error.message, "the test panicked: 3 things");
        assert_eq!(contain("the test", || Ok(1)).unwrap(), 1);
    }
}
