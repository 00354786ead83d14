//! `org.grampus.engine.NativeColumnFile`.

use grampus_base::to_hex;
use grampus_store::load::{ExternalFile, ExternalFileRequest};
use jni::EnvUnowned;
use jni::objects::{JByteArray, JByteBuffer, JClass, JObject, JString};
use jni::sys::{jint, jlong};
use serde_json::json;

use crate::boundary::export;
use crate::buffers;
use crate::handles::HandleTable;
use crate::sink_file::{SinkFile, Sources};
use crate::sink_upcalls::JavaSink;

static COLUMN_FILES: HandleTable<SinkFile<ExternalFile<JavaSink>>> = HandleTable::new("column file");

/// `long open0(String requestJson, TableSink sink)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeColumnFile_open0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    request: JString<'local>,
    sink: JObject<'local>,
) -> jlong {
    export(env, |env| {
        let request = ExternalFileRequest::parse(&request.to_string())?;
        SinkFile::open(&COLUMN_FILES, env, &sink, |sink| request.create(sink))
    })
}

/// `long append0(long file, ByteBuffer cells, int offset, int length)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeColumnFile_append0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
    cells: JByteBuffer<'local>,
    offset: jint,
    length: jint,
) -> jlong {
    export(env, |env| {
        let cells = buffers::input(env, &cells, offset, length)?;
        let written = COLUMN_FILES.get(file)?.step(|file| file.append(cells))?;
        Ok(written.try_into().unwrap_or(jlong::MAX))
    })
}

/// `long appendRows0(long file, String path, FileOpener files, byte[] from, byte[] until)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeColumnFile_appendRows0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
    path: JString<'local>,
    files: JObject<'local>,
    from: JByteArray<'local>,
    until: JByteArray<'local>,
) -> jlong {
    export(env, |env| {
        let (path, from, until) =
            (path.to_string(), env.convert_byte_array(&from)?, env.convert_byte_array(&until)?);
        let source = Sources::new(env, &files)?.open(&path)?;
        let written = COLUMN_FILES.get(file)?.step(|file| file.append_rows(&source, &from, &until))?;
        Ok(written.try_into().unwrap_or(jlong::MAX))
    })
}

/// `String finish0(long file)`: the handle ends, whatever comes.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeColumnFile_finish0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
) -> JString<'local> {
    export(env, |env| {
        let written = SinkFile::finish(&COLUMN_FILES, file, ExternalFile::finish)?;
        let mut report = json!({"bytes": written.bytes, "rows": written.rows, "cells": written.cells});
        if let Some((first, last)) = &written.range {
            report["firstRow"] = to_hex(first).into();
            report["lastRow"] = to_hex(last).into();
        }
        Ok(env.new_string(report.to_string())?)
    })
}

/// `void close0(long file)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeColumnFile_close0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
) {
    COLUMN_FILES.close(env, file)
}
