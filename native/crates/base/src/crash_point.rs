//! Named points at which tests end the process or make the running step fail.
//!
//! `GRAMPUS_CRASH_POINT=name[:count]` aborts the process the `count`-th time (default: first) that the point is reached;
//! `GRAMPUS_PANIC_POINT=name[:count]` makes the thread panic there.
//! Without it and without a hook a point costs one atomic load.

use std::cell::RefCell;
use std::io;
use std::sync::atomic::{AtomicU8, Ordering};

use parking_lot::Mutex;

use crate::{Error, Result};

type Hook = Box<dyn FnMut(&str) -> io::Result<()> + Send>;

const UNKNOWN: u8 = 0;
const OFF: u8 = 1;
const ON: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);
static HOOK: Mutex<Option<Hook>> = Mutex::new(None);

thread_local! {
    static THREAD_HOOK: RefCell<Option<Hook>> = const { RefCell::new(None) };
}

/// Reaches a crash point: a no-op, an abort, or the hook's error.
#[macro_export]
macro_rules! crash_point {
    ($name:literal) => {
        $crate::crash_point::reach($name)?
    };
}

/// What [`crash_point!`] expands to; the error carries the point's name.
pub fn reach(name: &'static str) -> Result<()> {
    match STATE.load(Ordering::Relaxed) {
        OFF => Ok(()),
        UNKNOWN => {
            configure();
            reach(name)
        }
        _ => reach_hooks(name).map_err(|e| Error::io("pass crash point", name, e)),
    }
}

/// Installs a hook for the points that this thread reaches from now on, or removes it. Tests that run beside others in one
/// process use this one.
pub fn set_thread_hook(hook: Option<Hook>) {
    THREAD_HOOK.with_borrow_mut(|slot| *slot = hook);
    STATE.store(ON, Ordering::Relaxed);
}

fn reach_hooks(name: &'static str) -> io::Result<()> {
    THREAD_HOOK.with_borrow_mut(|hook| hook.as_mut().map_or(Ok(()), |hook| hook(name)))?;
    HOOK.lock().as_mut().map_or(Ok(()), |hook| hook(name))
}

/// Installs a hook for the points that any thread reaches from now on, or removes it: for a test that is alone in its process.
pub fn set_hook(hook: Option<Hook>) {
    let state = if hook.is_some() { ON } else { OFF };
    *HOOK.lock() = hook;
    STATE.store(state, Ordering::Relaxed);
}

fn configure() {
    let setting = |key| std::env::var(key).ok().and_then(|text| parse(&text));
    let mut crash = setting("GRAMPUS_CRASH_POINT");
    let mut panic = setting("GRAMPUS_PANIC_POINT");
    if crash.is_none() && panic.is_none() {
        return set_hook(None);
    }
    set_hook(Some(Box::new(move |name| {
        if is_due(&mut crash, name) {
            std::process::abort();
        }
        if is_due(&mut panic, name) {
            panic_at(name);
        }
        Ok(())
    })));
}

#[expect(clippy::panic, reason = "a test asks for it")]
fn panic_at(name: &str) -> ! {
    panic!("panic point {name}");
}

/// Counts a point that is reached; true the time that the setting names.
fn is_due(setting: &mut Option<(String, u64)>, name: &str) -> bool {
    let Some((_, left)) = setting.as_mut().filter(|(wanted, left)| wanted == name && *left > 0) else {
        return false;
    };
    *left -= 1;
    *left == 0
}

fn parse(text: &str) -> Option<(String, u64)> {
    let (name, count) = match text.split_once(':') {
        Some((name, count)) => (name, count.parse().ok()?),
        None => (text, 1),
    };
    (!name.is_empty()).then(|| (name.to_string(), count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_names_a_point_and_a_count() {
        assert_eq!(parse("flush.after_rename"), Some(("flush.after_rename".to_string(), 1)));
        assert_eq!(parse("flush.after_rename:3"), Some(("flush.after_rename".to_string(), 3)));
        assert_eq!(parse(":3"), None);
        assert_eq!(parse("a:b"), None);
    }
}
