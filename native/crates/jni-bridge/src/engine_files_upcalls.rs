//! Files and directories that Java keeps for a server: `org.grampus.engine.EngineFiles`. Reads are those of any `FileOpener`.

use std::io;
use std::sync::Arc;

use grampus_env::{AppendFile, DirEntry};
use jni::ids::JMethodID;
use jni::objects::{Global, JObject, JString, JValue};
use jni::signature::{Primitive, ReturnType};
use jni::strings::JNIStr;
use jni::{jni_sig, jni_str};
use serde::Deserialize;

use crate::boundary::BridgeResult;
use crate::stream_upcalls::{JavaStream, StreamCalls};
use crate::upcalls::{Failure, Upcaller};

/// `FileEntry` of Java.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) directory: bool,
    /// Length of a file, as of its first flush while it is open; 0 of a directory.
    pub(crate) bytes: u64,
    /// Tells it from all others of its file system; 0 where that has none.
    pub(crate) id: u64,
}

/// An `EngineFiles`. Any thread.
pub(crate) struct JavaEngineFiles {
    files: Global<JObject<'static>>,
    java: Upcaller,
    create: JMethodID,
    create_log: JMethodID,
    recover_lease: JMethodID,
    list: JMethodID,
    status: JMethodID,
    rename: JMethodID,
    delete: JMethodID,
    make_directories: JMethodID,
    streams: Arc<StreamCalls>,
}

impl JavaEngineFiles {
    pub(crate) fn new(env: &mut jni::Env<'_>, files: &JObject<'_>) -> BridgeResult<JavaEngineFiles> {
        let class = jni_str!("org/grampus/engine/EngineFiles");
        let of_path = |env: &mut jni::Env<'_>, name: &JNIStr| {
            env.get_method_id(class, name, jni_sig!("(Ljava/lang/String;)V"))
        };
        let to_text = |env: &mut jni::Env<'_>, name: &JNIStr| {
            env.get_method_id(class, name, jni_sig!("(Ljava/lang/String;)Ljava/lang/String;"))
        };
        Ok(JavaEngineFiles {
            files: env.new_global_ref(files)?,
            java: Upcaller::new(env, "the files of a server")?,
            create: env.get_method_id(
                class,
                jni_str!("create"),
                jni_sig!("(Ljava/lang/String;Z)Lorg/grampus/engine/AppendStream;"),
            )?,
            create_log: env.get_method_id(
                class,
                jni_str!("createLog"),
                jni_sig!("(Ljava/lang/String;J)Lorg/grampus/engine/AppendStream;"),
            )?,
            recover_lease: of_path(env, jni_str!("recoverLease"))?,
            list: to_text(env, jni_str!("list"))?,
            status: to_text(env, jni_str!("status"))?,
            rename: env.get_method_id(
                class,
                jni_str!("rename"),
                jni_sig!("(Ljava/lang/String;Ljava/lang/String;)V"),
            )?,
            delete: of_path(env, jni_str!("delete"))?,
            make_directories: of_path(env, jni_str!("makeDirectories"))?,
            streams: Arc::new(StreamCalls::new(env)?),
        })
    }

    pub(crate) fn create(&self, uri: &str, bulk: bool) -> io::Result<Box<dyn AppendFile>> {
        // SAFETY: `EngineFiles.create` takes a path and a boolean.
        unsafe { self.begin(self.create, uri, JValue::from(bulk)) }
    }

    pub(crate) fn create_log(&self, uri: &str, most: u64) -> io::Result<Box<dyn AppendFile>> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        // SAFETY: `EngineFiles.createLog` takes a path and a long.
        unsafe { self.begin(self.create_log, uri, JValue::from(most)) }
    }

    /// Calls a method that creates a file.
    ///
    /// # Safety
    ///
    /// The method is one of EngineFiles, takes a path and a value of this kind, and returns an AppendStream.
    unsafe fn begin(&self, method: JMethodID, uri: &str, how: JValue<'_>) -> io::Result<Box<dyn AppendFile>> {
        let stream = self.java.run(|env| {
            let path = env.new_string(uri)?;
            let args = [JValue::from(&path).as_jni(), how.as_jni()];
            // SAFETY: the method takes these arguments: the caller says so; the object is an EngineFiles.
            let made = unsafe { env.call_method_unchecked(&self.files, method, ReturnType::Object, &args)? };
            let stream = made.l()?;
            if stream.is_null() {
                return Err(Failure::Io(io::Error::other(format!("no stream came for {uri}"))));
            }
            Ok(env.new_global_ref(stream)?)
        })?;
        // SAFETY: the method returns an AppendStream: the caller says so.
        let stream = unsafe { JavaStream::new(stream, Arc::clone(&self.streams)) };
        Ok(grampus_env::strict(stream))
    }

    pub(crate) fn recover_lease(&self, uri: &str) -> io::Result<()> {
        self.change(self.recover_lease, &[uri])
    }

    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.change(self.rename, &[from, to])
    }

    pub(crate) fn delete(&self, uri: &str) -> io::Result<()> {
        self.change(self.delete, &[uri])
    }

    pub(crate) fn make_directories(&self, uri: &str) -> io::Result<()> {
        self.change(self.make_directories, &[uri])
    }

    /// The entries of a directory in name order.
    pub(crate) fn list(&self, uri: &str) -> io::Result<Vec<DirEntry>> {
        let text =
            self.text(self.list, uri)?.ok_or_else(|| io::Error::other(format!("no list came for {uri}")))?;
        let entries: Vec<Entry> = serde_json::from_str(&text).map_err(io::Error::other)?;
        let entry = |e: Entry| DirEntry { name: e.name, is_dir: e.directory, len: e.bytes };
        let mut entries: Vec<DirEntry> = entries.into_iter().map(entry).collect();
        entries.sort();
        Ok(entries)
    }

    /// What a path names, `None` where there is nothing.
    pub(crate) fn status(&self, uri: &str) -> io::Result<Option<Entry>> {
        let text = self.text(self.status, uri)?;
        text.map(|text| serde_json::from_str(&text).map_err(io::Error::other)).transpose()
    }

    /// Calls one of the methods of this object that take one path or two and return nothing.
    fn change(&self, method: JMethodID, paths: &[&str]) -> io::Result<()> {
        self.java.run(|env| {
            let texts: Vec<JString<'_>> =
                paths.iter().map(|path| env.new_string(path)).collect::<Result<_, _>>()?;
            let arguments: Vec<_> = texts.iter().map(|text| JValue::from(text).as_jni()).collect();
            let nothing = ReturnType::Primitive(Primitive::Void);
            // SAFETY: the method is one of EngineFiles that takes as many strings as were given and returns nothing; the object is an
            // EngineFiles.
            unsafe { env.call_method_unchecked(&self.files, method, nothing, &arguments)? };
            Ok(())
        })
    }

    /// Calls `list` or `status`.
    fn text(&self, method: JMethodID, uri: &str) -> io::Result<Option<String>> {
        self.java.run(|env| {
            let path = env.new_string(uri)?;
            let arguments = [JValue::from(&path).as_jni()];
            let answer = ReturnType::Object;
            // SAFETY: the method is `EngineFiles.list` or `EngineFiles.status`, which take a string and return one; the object is an
            // EngineFiles.
            let found = unsafe { env.call_method_unchecked(&self.files, method, answer, &arguments)? };
            let text = found.l()?;
            if text.is_null() {
                return Ok(None);
            }
            Ok(Some(env.cast_local::<JString>(text)?.try_to_string(env)?))
        })
    }
}
