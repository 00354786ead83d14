//! `org.grampus.engine.NativeTableFile`.

use grampus_base::{Error, ErrorKind};
use grampus_columns::{MappedColumn, ParsedMapping, TableFile, TableFileRequest, Written, merge_parquet};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JClass, JIntArray, JObject, JString};
use jni::sys::{jboolean, jint, jlong};
use serde_json::json;

use crate::boundary::{BridgeResult, export};
use crate::handles::HandleTable;
use crate::row_feed;
use crate::sink_file::{SinkFile, Sources, deliver_end};
use crate::sink_upcalls::JavaSink;

static TABLE_FILES: HandleTable<SinkFile<TableFile<JavaSink>>> = HandleTable::new("file of a table");

/// `long open0(String requestJson, TableSink sink)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_open0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    request: JString<'local>,
    sink: JObject<'local>,
) -> jlong {
    export(env, |env| {
        let request = TableFileRequest::parse(&request.to_string())?;
        SinkFile::open(&TABLE_FILES, env, &sink, |sink| request.create(sink))
    })
}

/// `String columns0(String mapping)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_columns0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    mapping: JString<'local>,
) -> JString<'local> {
    export(env, |env| {
        let columns = MappedColumn::all(&mapping.to_string())?;
        Ok(env.new_string(json!(columns).to_string())?)
    })
}

/// `String mapping0(String mapping)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_mapping0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    mapping: JString<'local>,
) -> JString<'local> {
    export(env, |env| {
        let mapping = ParsedMapping::of(&mapping.to_string())?;
        Ok(env.new_string(json!(mapping).to_string())?)
    })
}

/// `String mergeParquet0(String pathsJson, FileOpener files, TableSink sink)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_mergeParquet0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    paths: JString<'local>,
    files: JObject<'local>,
    sink: JObject<'local>,
) -> JString<'local> {
    export(env, |env| {
        let paths: Vec<String> = serde_json::from_str(&paths.to_string())
            .map_err(|e| Error::new(ErrorKind::BadRequest, format!("files of a merge: {e}")))?;
        let sink = JavaSink::new(env, &sink)?;
        let files = Sources::new(env, &files)?;
        let (sink, written) = merge_parquet(paths.iter().map(|path| files.open(path)), sink)?;
        deliver_end(TABLE_FILES.noun(), sink)?;
        report(env, &written)
    })
}

/// `void begin0(long file, long scan)`: the scan's handle ends, whatever comes.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_begin0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
    scan: jlong,
) {
    row_feed::begin(&TABLE_FILES, env, file, scan)
}

/// `boolean advance0(long file, ByteBuffer info)`: the info block has counts, the row that was looked at last, and no result.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_advance0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
    info: JByteBuffer<'local>,
) -> jboolean {
    row_feed::advance(&TABLE_FILES, env, file, &info)
}

/// `void append0(long file, ByteBuffer cells, int offset, int length, int[] counts, int rows)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_append0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
    cells: JByteBuffer<'local>,
    offset: jint,
    length: jint,
    counts: JIntArray<'local>,
    rows: jint,
) {
    row_feed::append(&TABLE_FILES, env, file, (&cells, offset, length), (&counts, rows))
}

/// `String finish0(long file)`: the handle ends, whatever comes.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_finish0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
) -> JString<'local> {
    export(env, |env| {
        let written = SinkFile::finish(&TABLE_FILES, file, TableFile::finish)?;
        report(env, &written)
    })
}

/// What a file has.
fn report<'local>(env: &mut jni::Env<'local>, written: &Written) -> BridgeResult<JString<'local>> {
    let report = json!({"rows": written.rows, "bytes": written.bytes, "crc32c": written.crc32c});
    Ok(env.new_string(report.to_string())?)
}

/// `void close0(long file)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_close0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
) {
    TABLE_FILES.close(env, file)
}
