//! `org.grampus.engine.NativeTableFile`.

use std::io::Write;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind};
use grampus_columns::{MappedColumn, ParsedMapping, TableFile, TableFileRequest, Written, merge_parquet};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JClass, JIntArray, JObject, JString};
use jni::sys::{jboolean, jint, jlong};
use serde_json::json;

use crate::boundary::{BridgeError, BridgeResult, ThrowEngineException};
use crate::buffers;
use crate::frozen_scan::Delivered;
use crate::frozen_scan_exports::take_scan;
use crate::handles::HandleTable;
use crate::sink_file::{SinkFile, Sources};
use crate::sink_upcalls::JavaSink;

const NOUN: &str = "file of a table";

static TABLE_FILES: HandleTable<SinkFile<TableFile<JavaSink>>> = HandleTable::new(NOUN);

/// `long open0(String requestJson, TableSink sink)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_open0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    request: JString<'local>,
    sink: JObject<'local>,
) -> jlong {
    env.with_env(|env| -> Result<jlong, BridgeError> {
        let request = TableFileRequest::parse(&request.to_string())?;
        let sink = JavaSink::new(env, &sink)?;
        let file = SinkFile::create(NOUN, sink, |sink| request.create(sink))?;
        Ok(TABLE_FILES.insert(Arc::new(file)))
    })
    .resolve::<ThrowEngineException>()
}

/// `String columns0(String mapping)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_columns0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    mapping: JString<'local>,
) -> JString<'local> {
    env.with_env(|env| -> Result<JString<'local>, BridgeError> {
        let columns = MappedColumn::all(&mapping.to_string())?;
        Ok(env.new_string(json!(columns).to_string())?)
    })
    .resolve::<ThrowEngineException>()
}

/// `String mapping0(String mapping)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_mapping0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    mapping: JString<'local>,
) -> JString<'local> {
    env.with_env(|env| -> Result<JString<'local>, BridgeError> {
        let mapping = ParsedMapping::of(&mapping.to_string())?;
        Ok(env.new_string(json!(mapping).to_string())?)
    })
    .resolve::<ThrowEngineException>()
}

/// `String mergeParquet0(String pathsJson, FileOpener files, TableSink sink)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_mergeParquet0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    paths: JString<'local>,
    files: JObject<'local>,
    sink: JObject<'local>,
) -> JString<'local> {
    env.with_env(|env| -> Result<JString<'local>, BridgeError> {
        let paths: Vec<String> = serde_json::from_str(&paths.to_string())
            .map_err(|e| Error::new(ErrorKind::BadRequest, format!("files of a merge: {e}")))?;
        let sink = JavaSink::new(env, &sink)?;
        let files = Sources::new(env, &files)?;
        let (sink, written) = merge_parquet(paths.iter().map(|path| files.open(path)), sink)?;
        report(env, sink, &written)
    })
    .resolve::<ThrowEngineException>()
}

/// `void begin0(long file, long scan)`: the scan's handle ends, whatever comes.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_begin0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
    scan: jlong,
) {
    env.with_env(|_| -> Result<(), BridgeError> {
        let scan = take_scan(scan)?;
        Ok(TABLE_FILES.get(file)?.step(|file| file.begin(scan))?)
    })
    .resolve::<ThrowEngineException>()
}

/// `boolean advance0(long file, ByteBuffer info)`: the info block has counts, the row that was looked at last, and no result.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_advance0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
    info: JByteBuffer<'local>,
) -> jboolean {
    env.with_env(|env| -> Result<jboolean, BridgeError> {
        let info = buffers::whole_output(env, &info)?;
        let advance = |file: &mut TableFile<JavaSink>| {
            let more = file.advance()?;
            if let Some(scan) = file.scan() {
                Delivered::elsewhere(file.scan_rows(), more).write(scan, info);
            }
            Ok(more)
        };
        Ok(TABLE_FILES.get(file)?.step(advance)?)
    })
    .resolve::<ThrowEngineException>()
}

/// `void append0(long file, ByteBuffer cells, int offset, int length, int[] counts, int rows)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_append0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
    cells: JByteBuffer<'local>,
    offset: jint,
    length: jint,
    counts: JIntArray<'local>,
    rows: jint,
) {
    env.with_env(|env| -> Result<(), BridgeError> {
        let cells = buffers::input(env, &cells, offset, length)?;
        let counts = cell_counts(env, &counts, rows)?;
        Ok(TABLE_FILES.get(file)?.step(|file| file.append(cells, &counts))?)
    })
    .resolve::<ThrowEngineException>()
}

/// `String finish0(long file)`: the handle ends, whatever comes.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_finish0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
) -> JString<'local> {
    env.with_env(|env| -> Result<JString<'local>, BridgeError> {
        let slot = TABLE_FILES.remove(file)?;
        let (sink, written) = slot.take()?.finish()?;
        report(env, sink, &written)
    })
    .resolve::<ThrowEngineException>()
}

/// Hands the end of a file to its sink, and says what the file has.
fn report<'local>(
    env: &mut jni::Env<'local>,
    mut sink: JavaSink,
    written: &Written,
) -> BridgeResult<JString<'local>> {
    sink.flush().map_err(|e| Error {
        kind: ErrorKind::Io,
        message: format!("the end of a table's file cannot be written: {e}"),
        source: Some(e),
        file: None,
    })?;
    let report = json!({"rows": written.rows, "bytes": written.bytes, "crc32c": written.crc32c});
    Ok(env.new_string(report.to_string())?)
}

/// `void close0(long file)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeTableFile_close0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    file: jlong,
) {
    env.with_env(|_| -> Result<(), BridgeError> {
        drop(TABLE_FILES.remove(file)?);
        Ok(())
    })
    .resolve::<ThrowEngineException>()
}

/// The number of cells of each row.
pub(crate) fn cell_counts(
    env: &mut jni::Env<'_>,
    counts: &JIntArray<'_>,
    rows: jint,
) -> BridgeResult<Vec<u32>> {
    let bad =
        || Error::new(ErrorKind::Bug, format!("{rows} rows need as many cell counts, none of them negative"));
    let length = counts.len(env)?;
    let rows = usize::try_from(rows).ok().filter(|rows| *rows <= length).ok_or_else(bad)?;
    let mut numbers = vec![0; rows];
    counts.get_region(env, 0, &mut numbers)?;
    let numbers: Result<Vec<u32>, _> = numbers.into_iter().map(u32::try_from).collect();
    Ok(numbers.map_err(|_| bad())?)
}
