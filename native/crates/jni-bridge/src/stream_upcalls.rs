//! A file that Java writes for a server: `org.grampus.engine.AppendStream`.

use std::io;
use std::sync::Arc;

use grampus_env::AppendFile;
use jni::ids::JMethodID;
use jni::objects::{Global, JObject};
use jni::signature::{Primitive, ReturnType};
use jni::strings::JNIStr;
use jni::{jni_sig, jni_str};

use crate::boundary::BridgeResult;
use crate::upcalls::{Upcaller, WriteMethod};

/// Bytes that are collected for an upcall: a group of the log goes over in one.
const BUFFER_BYTES: usize = 256 * 1024;

/// The methods, which the class of the streams keeps valid.
pub(crate) struct StreamCalls {
    java: Upcaller,
    write: WriteMethod,
    flush: JMethodID,
    sync: JMethodID,
    close: JMethodID,
    abandon: JMethodID,
}

/// The stream of one file. Its calls wait for other machines, on the thread that makes them. Its owner calls in order; `grampus_env::strict` decides
/// what a failure allows.
pub(crate) struct JavaStream {
    stream: Global<JObject<'static>>,
    calls: Arc<StreamCalls>,
    /// Memory of our own, since a buffer of Java's can be written to.
    pending: Vec<u8>,
    /// Bytes that Java has.
    written: u64,
    ended: bool,
}

impl StreamCalls {
    pub(crate) fn new(env: &mut jni::Env<'_>) -> BridgeResult<StreamCalls> {
        let class = jni_str!("org/grampus/engine/AppendStream");
        let plain = |env: &mut jni::Env<'_>, name: &JNIStr| env.get_method_id(class, name, jni_sig!("()V"));
        Ok(StreamCalls {
            java: Upcaller::new(env, "the stream of a file")?,
            write: WriteMethod::of(env, class)?,
            flush: plain(env, jni_str!("flush"))?,
            sync: plain(env, jni_str!("sync"))?,
            close: plain(env, jni_str!("close"))?,
            abandon: plain(env, jni_str!("abandon"))?,
        })
    }
}

impl JavaStream {
    /// A stream that nothing was written to.
    ///
    /// # Safety
    ///
    /// The object is an AppendStream.
    pub(crate) unsafe fn new(stream: Global<JObject<'static>>, calls: Arc<StreamCalls>) -> JavaStream {
        JavaStream { stream, calls, pending: Vec::new(), written: 0, ended: false }
    }

    /// Calls a method that takes nothing.
    fn call(&self, method: JMethodID) -> io::Result<()> {
        self.calls.java.run(|env| {
            let nothing = ReturnType::Primitive(Primitive::Void);
            // SAFETY: the method is one of AppendStream that takes and returns nothing, and the object is one: the caller of `new` says so.
            unsafe { env.call_method_unchecked(&self.stream, method, nothing, &[])? };
            Ok(())
        })
    }

    /// Hands over what is collected. What a failure leaves is not kept: some of it may be in the file, and must not come there twice.
    fn deliver(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut pending = std::mem::take(&mut self.pending);
        // SAFETY: both are of AppendStream: the caller of `new` says so.
        unsafe { self.calls.java.write(&self.stream, self.calls.write, &mut pending)? };
        self.written += pending.len() as u64;
        pending.clear();
        self.pending = pending;
        Ok(())
    }
}

impl AppendFile for JavaStream {
    fn append(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let room = BUFFER_BYTES - self.pending.len();
            let (taken, rest) = bytes.split_at(room.min(bytes.len()));
            self.pending.extend_from_slice(taken);
            bytes = rest;
            if self.pending.len() == BUFFER_BYTES {
                self.deliver()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.deliver()?;
        self.call(self.calls.flush)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.deliver()?;
        self.call(self.calls.sync)
    }

    /// What Java has goes on its way by itself, packet by packet.
    fn start_write_back(&mut self) -> io::Result<()> {
        self.deliver()
    }

    fn position(&self) -> u64 {
        self.written + self.pending.len() as u64
    }

    fn close(mut self: Box<Self>) -> io::Result<()> {
        self.deliver()?;
        self.ended = true; // there is no second attempt
        self.call(self.calls.close)
    }
}

impl Drop for JavaStream {
    /// Java ends the stream on a thread of its own and says what comes of it; this thread does not wait: it may hold locks.
    fn drop(&mut self) {
        if !self.ended {
            let abandoned = self.call(self.calls.abandon);
            // The file is abandoned either way: what was not flushed may be lost, and its lease is recovered before it is read.
            drop(abandoned);
        }
    }
}
