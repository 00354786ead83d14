//! Files that Java opens, for frozen regions and merges of table files on file systems that the engine does not know itself: `org.grampus.engine.FileOpener`.
//!
//! The upcalls run on whatever thread reads, and hold no lock of the engine but that of the scan whose call reads. What they throw is caught
//! here and becomes an [`io::Error`]; nothing stays pending.

use std::io;
use std::path::Path;
use std::sync::Arc;

use grampus_base::RandomRead;
use grampus_env::{AppendFile, DirEntry, Env, LocalEnv};
use jni::ids::JMethodID;
use jni::objects::{Global, JObject, JValue};
use jni::signature::{Primitive, ReturnType};
use jni::sys::jvalue;
use jni::{jni_sig, jni_str};

use crate::boundary::BridgeResult;
use crate::upcalls::{Failure, Upcaller};

/// Bytes of one upcall's buffer at most; a ByteBuffer has no 2 GiB.
const READ_BYTES_MAX: usize = 1 << 30;

/// An environment that reads through a `FileOpener` and does nothing else; its clocks are the machine's.
pub(crate) struct JavaFiles {
    opener: Global<JObject<'static>>,
    upcalls: Arc<Upcalls>,
    clock: LocalEnv,
}

/// An `OpenFile`, closed when the last reader is gone.
struct JavaFile {
    file: Global<JObject<'static>>,
    upcalls: Arc<Upcalls>,
    name: String,
    len: u64,
}

/// The methods, which the opener's class keeps valid.
struct Upcalls {
    java: Upcaller,
    open: JMethodID,
    length: JMethodID,
    read_fully: JMethodID,
    close: JMethodID,
}

impl JavaFiles {
    /// The files of the opener that the caller of `open0` gave.
    pub(crate) fn new(env: &mut jni::Env<'_>, opener: &JObject<'_>) -> BridgeResult<JavaFiles> {
        let open_file = jni_str!("org/grampus/engine/OpenFile");
        let upcalls = Upcalls {
            java: Upcaller::new(env, "the opener of files")?,
            open: env.get_method_id(
                jni_str!("org/grampus/engine/FileOpener"),
                jni_str!("open"),
                jni_sig!("(Ljava/lang/String;)Lorg/grampus/engine/OpenFile;"),
            )?,
            length: env.get_method_id(open_file, jni_str!("length"), jni_sig!("()J"))?,
            read_fully: env.get_method_id(
                open_file,
                jni_str!("readFully"),
                jni_sig!("(JLjava/nio/ByteBuffer;)V"),
            )?,
            close: env.get_method_id(open_file, jni_str!("close"), jni_sig!("()V"))?,
        };
        Ok(JavaFiles {
            opener: env.new_global_ref(opener)?,
            upcalls: Arc::new(upcalls),
            clock: LocalEnv::new(),
        })
    }
}

impl Env for JavaFiles {
    fn create(&self, _path: &Path) -> io::Result<Box<dyn AppendFile>> {
        unsupported("creates no file")
    }

    fn create_log(&self, _path: &Path, _most: u64) -> io::Result<Box<dyn AppendFile>> {
        unsupported("creates no file")
    }

    fn flush_is_cheap(&self) -> bool {
        false
    }

    fn failed_syncs_are_final(&self, _path: &Path) -> bool {
        true
    }

    fn recover_lease(&self, _path: &Path) -> io::Result<()> {
        unsupported("recovers no lease")
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn RandomRead>> {
        let name = path.to_str().ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, format!("{} is no text", path.display()))
        })?;
        let file = self.upcalls.open(&self.opener, name)?;
        // From here on it is closed, whatever comes.
        let mut file = JavaFile { file, upcalls: Arc::clone(&self.upcalls), name: name.to_string(), len: 0 };
        file.len = self.upcalls.length(&file.file)?;
        Ok(Arc::new(file))
    }

    fn list(&self, _dir: &Path) -> io::Result<Vec<DirEntry>> {
        unsupported("lists no directory")
    }

    fn rename(&self, _from: &Path, _to: &Path) -> io::Result<()> {
        unsupported("renames nothing")
    }

    fn delete(&self, _path: &Path) -> io::Result<()> {
        unsupported("deletes nothing")
    }

    fn mkdir(&self, _dir: &Path) -> io::Result<()> {
        unsupported("makes no directory")
    }

    fn sync_dir(&self, _dir: &Path) -> io::Result<()> {
        unsupported("syncs no directory")
    }

    fn sync_file(&self, _path: &Path) -> io::Result<()> {
        unsupported("syncs nothing")
    }

    fn len(&self, _path: &Path) -> io::Result<u64> {
        unsupported("asks for no length by path")
    }

    fn exists(&self, _path: &Path) -> io::Result<bool> {
        unsupported("asks for no path")
    }

    fn now_millis(&self) -> i64 {
        self.clock.now_millis()
    }

    fn monotonic_nanos(&self) -> u64 {
        self.clock.monotonic_nanos()
    }

    fn random(&self) -> u64 {
        self.clock.random()
    }
}

fn unsupported<T>(what: &str) -> io::Result<T> {
    let message = format!("a reader of files that Java opens {what}");
    Err(io::Error::new(io::ErrorKind::Unsupported, message))
}

impl RandomRead for JavaFile {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, buf: &mut [u8], mut offset: u64) -> io::Result<()> {
        let end = offset.checked_add(buf.len() as u64);
        if end.is_none_or(|end| end > self.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for part in buf.chunks_mut(READ_BYTES_MAX) {
            self.upcalls.read(&self.file, offset, part)?;
            offset += part.len() as u64;
        }
        Ok(())
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for JavaFile {
    fn drop(&mut self) {
        let closed =
            self.upcalls.call(&self.file, self.upcalls.close, ReturnType::Primitive(Primitive::Void));
        // Nothing was written to it, so that nothing is lost, and there is no caller to tell: the file may be closed by a garbage collection.
        drop(closed);
    }
}

impl Upcalls {
    fn open(&self, opener: &JObject<'_>, path: &str) -> io::Result<Global<JObject<'static>>> {
        self.java.run(|env| {
            let text = env.new_string(path)?;
            let arguments = [JValue::from(&text).as_jni()];
            let (open, answer) = (self.open, ReturnType::Object);
            // SAFETY: the method is `FileOpener.open`, of this signature, and the object is a FileOpener.
            let file = unsafe { env.call_method_unchecked(opener, open, answer, &arguments)? };
            let file = file.l()?;
            if file.is_null() {
                let message = format!("the opener of files returned null for {path}");
                return Err(Failure::Io(io::Error::other(message)));
            }
            Ok(env.new_global_ref(file)?)
        })
    }

    fn length(&self, file: &JObject<'_>) -> io::Result<u64> {
        let length = self.call(file, self.length, ReturnType::Primitive(Primitive::Long))?;
        u64::try_from(length).map_err(|_| io::Error::other(format!("a file has {length} bytes")))
    }

    /// Calls a method of an `OpenFile` that takes nothing, for a number or for nothing.
    fn call(&self, file: &JObject<'_>, method: JMethodID, answer: ReturnType) -> io::Result<i64> {
        self.java.run(|env| {
            // SAFETY: the method is `OpenFile.length` or `OpenFile.close`, which take nothing, and the object is an OpenFile.
            let value = unsafe { env.call_method_unchecked(file, method, answer, &[])? };
            Ok(if answer == ReturnType::Primitive(Primitive::Long) { value.j()? } else { 0 })
        })
    }

    /// Fills the buffer from an offset.
    fn read(&self, file: &JObject<'_>, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let offset = i64::try_from(offset).map_err(io::Error::other)?;
        let filled = self.java.run(|env| {
            // SAFETY: the memory is `buf`, which no other code sees during the call. `OpenFile` says that the buffer must not be used after it.
            let buffer = unsafe { env.new_direct_byte_buffer(buf.as_mut_ptr(), buf.len())? };
            let arguments: [jvalue; 2] = [JValue::from(offset).as_jni(), JValue::from(&buffer).as_jni()];
            let nothing = ReturnType::Primitive(Primitive::Void);
            // SAFETY: the method is `OpenFile.readFully`, of this signature, and the object is an OpenFile.
            unsafe { env.call_method_unchecked(file, self.read_fully, nothing, &arguments)? };
            self.java.position(env, &buffer)
        })?;
        // Not what is left up to the buffer's limit: that is Java's to move.
        if filled != buf.len() {
            let message = format!("readFully returned after {filled} of {} bytes", buf.len());
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        Ok(())
    }
}
