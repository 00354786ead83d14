//! Where the bytes of a table's file go: `org.grampus.engine.TableSink`.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grampus_base::{Error, ErrorKind};
use jni::jni_str;
use jni::objects::{Global, JObject};

use crate::boundary::BridgeResult;
use crate::upcalls::{Upcaller, WriteMethod};

/// Bytes that are collected for an upcall.
const BUFFER_BYTES: usize = 1 << 20;

/// A `TableSink`. Its upcalls hold the lock of the file that writes. What is collected and not flushed goes with it.
pub(crate) struct JavaSink {
    sink: Global<JObject<'static>>,
    write: WriteMethod,
    java: Upcaller,
    /// Memory of our own, since a buffer of Java's can be written to.
    pending: Vec<u8>,
    shut: Shut,
}

/// Whether a sink is called no more: it has failed, or its file is being dropped, and then the library would hand on what it has left.
#[derive(Clone, Default)]
pub(crate) struct Shut(Arc<AtomicBool>);

impl Shut {
    /// Nothing more is handed to the sink.
    pub(crate) fn shut(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Runs a step of the file. Unless it ends well, and a panic does not, the sink gets nothing more: a file with half of a step is none.
    pub(crate) fn unless_done<T, E>(&self, step: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let undone = Undone(self);
        let done = step()?;
        std::mem::forget(undone);
        Ok(done)
    }

    fn check(&self) -> io::Result<()> {
        match self.0.load(Ordering::Relaxed) {
            true => {
                Err(io::Error::other("the sink of a table's file has failed before, or its file is closed"))
            }
            false => Ok(()),
        }
    }
}

/// A step of a file that has not ended.
struct Undone<'a>(&'a Shut);

impl Drop for Undone<'_> {
    fn drop(&mut self) {
        self.0.shut();
    }
}

impl JavaSink {
    /// The sink that the caller of `open0` or `mergeParquet0` gave.
    pub(crate) fn new(env: &mut jni::Env<'_>, sink: &JObject<'_>) -> BridgeResult<JavaSink> {
        let class = jni_str!("org/grampus/engine/TableSink");
        if sink.is_null() || !env.is_instance_of(sink, class)? {
            return Err(Error::new(ErrorKind::BadRequest, "a table's file needs a sink").into());
        }
        let write = WriteMethod::of(env, class)?;
        Ok(JavaSink {
            sink: env.new_global_ref(sink)?,
            write,
            java: Upcaller::new(env, "the sink of a table's file")?,
            pending: Vec::with_capacity(BUFFER_BYTES),
            shut: Shut::default(),
        })
    }

    /// Shuts it from elsewhere.
    pub(crate) fn shutter(&self) -> Shut {
        self.shut.clone()
    }

    fn deliver(&mut self) -> io::Result<()> {
        self.shut.shut(); // until the upcall has ended well
        // SAFETY: both are of TableSink: `new` has asked.
        unsafe { self.java.write(&self.sink, self.write, &mut self.pending)? };
        self.pending.clear();
        self.shut.0.store(false, Ordering::Relaxed);
        Ok(())
    }
}

impl Write for JavaSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.shut.check()?;
        if self.pending.len() == BUFFER_BYTES {
            self.deliver()?;
        }
        let room = BUFFER_BYTES - self.pending.len();
        let taken = bytes.get(..room).unwrap_or(bytes);
        self.pending.extend_from_slice(taken);
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.shut.check()?;
        if self.pending.is_empty() { Ok(()) } else { self.deliver() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_panics_shuts_the_sink() {
        let shut = Shut::default();
        assert_eq!(shut.unless_done(|| Ok::<_, ()>(1)), Ok(1));
        shut.check().unwrap();
        let panicked = std::panic::catch_unwind(|| {
            let _ = shut.unless_done(|| -> Result<(), ()> { panic!("in the middle of a block") });
        });
        assert!(panicked.is_err() && shut.check().is_err());
        let failed = Shut::default();
        failed.unless_done(|| Err::<(), _>(())).unwrap_err();
        failed.check().unwrap_err();
    }
}
