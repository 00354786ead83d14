//! `org.grampus.engine.NativeColumnFile`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, RandomRead, to_hex};
use grampus_env::{LocalEnv, path_of};
use grampus_store::load::{ExternalFile, ExternalFileRequest};
use jni::EnvUnowned;
use jni::objects::{JByteArray, JByteBuffer, JClass, JObject, JString};
use jni::sys::{jint, jlong};
use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};
use serde_json::json;

use crate::boundary::{BridgeError, BridgeResult, ThrowEngineException};
use crate::buffers;
use crate::file_upcalls::JavaFiles;
use crate::handles::HandleTable;
use crate::sink_upcalls::{JavaSink, Shut};

/// A file until it is finished, or until a cell could not be added.
struct Slot {
    file: Mutex<Option<ExternalFile<JavaSink>>>,
    shut: Shut,
}

impl Drop for Slot {
    /// A file that is not finished leaves no bytes for a sink that may be closed already.
    fn drop(&mut self) {
        self.shut.shut();
    }
}

static COLUMN_FILES: HandleTable<Slot> = HandleTable::new("column file");

/// `long open0(String requestJson, TableSink sink)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeColumnFile_open0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    request: JString<'local>,
    sink: JObject<'local>,
) -> jlong {
    env.with_env(|env| -> Result<jlong, BridgeError> {
        let request = ExternalFileRequest::parse(&request.to_string())?;
        let sink = JavaSink::new(env, &sink)?;
        let shut = sink.shutter();
        let file = Mutex::new(Some(request.create(sink)?));
        Ok(COLUMN_FILES.insert(Arc::new(Slot { file, shut })))
    })
    .resolve::<ThrowEngineException>()
}

/// `long append0(long file, ByteBuffer cells, int offset, int length)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeColumnFile_append0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
    cells: JByteBuffer<'local>,
    offset: jint,
    length: jint,
) -> jlong {
    env.with_env(|env| -> Result<jlong, BridgeError> {
        let cells = buffers::input(env, &cells, offset, length)?;
        let slot = COLUMN_FILES.get(file)?;
        let written = open_file(&slot)?.append(cells);
        if written.is_err() {
            // A file with half of a block is no file.
            slot.shut.shut();
        }
        Ok(written?.try_into().unwrap_or(jlong::MAX))
    })
    .resolve::<ThrowEngineException>()
}

/// `long appendRows0(long file, String path, FileOpener files, byte[] from, byte[] until)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeColumnFile_appendRows0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
    path: JString<'local>,
    files: JObject<'local>,
    from: JByteArray<'local>,
    until: JByteArray<'local>,
) -> jlong {
    env.with_env(|env| -> Result<jlong, BridgeError> {
        let (path, from, until) =
            (path.to_string(), env.convert_byte_array(&from)?, env.convert_byte_array(&until)?);
        let source = open_source(env, &path, &files)?;
        let slot = COLUMN_FILES.get(file)?;
        let written = open_file(&slot)?.append_rows(&source, &from, &until);
        if written.is_err() {
            slot.shut.shut();
        }
        Ok(written?.try_into().unwrap_or(jlong::MAX))
    })
    .resolve::<ThrowEngineException>()
}

/// A file that Java opens, or a local one.
fn open_source(env: &mut jni::Env<'_>, path: &str, files: &JObject<'_>) -> BridgeResult<Arc<dyn RandomRead>> {
    let open = |files: &dyn grampus_env::Env, path: PathBuf| {
        files.open(&path).map_err(|e| Error::io("open", path, e))
    };
    Ok(match files.is_null() {
        true => open(&LocalEnv::new(), path_of(path)?)?,
        false => open(&JavaFiles::new(env, files)?, path.into())?,
    })
}

/// `String finish0(long file)`: the handle ends, whatever comes.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeColumnFile_finish0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
) -> JString<'local> {
    env.with_env(|env| -> Result<JString<'local>, BridgeError> {
        let slot = COLUMN_FILES.remove(file)?;
        let taken = slot.file.try_lock().ok_or_else(in_use)?.take().ok_or_else(finished)?;
        let (mut sink, written) = taken.finish()?;
        sink.flush().map_err(|e| Error { source: None, ..Error::io("write", "a column file", e) })?;
        let mut report = json!({"bytes": written.bytes, "rows": written.rows, "cells": written.cells});
        if let Some((first, last)) = &written.range {
            report["firstRow"] = to_hex(first).into();
            report["lastRow"] = to_hex(last).into();
        }
        Ok(env.new_string(report.to_string())?)
    })
    .resolve::<ThrowEngineException>()
}

/// `void close0(long file)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeColumnFile_close0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
) {
    env.with_env(|_| -> Result<(), BridgeError> {
        drop(COLUMN_FILES.remove(file)?);
        Ok(())
    })
    .resolve::<ThrowEngineException>()
}

/// The file of a slot, for one call at a time. A second call fails and does not wait: it may come out of the sink's upcall of the first.
fn open_file(slot: &Slot) -> Result<MappedMutexGuard<'_, ExternalFile<JavaSink>>, Error> {
    let guard = slot.file.try_lock().ok_or_else(in_use)?;
    MutexGuard::try_map(guard, Option::as_mut).map_err(|_| finished())
}

fn in_use() -> Error {
    Error::new(ErrorKind::Bug, "a column file is used by two calls at a time")
}

fn finished() -> Error {
    Error::new(ErrorKind::NotServing, "the column file is finished")
}
