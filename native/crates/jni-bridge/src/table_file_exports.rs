//! `org.grampus.engine.NativeTableFile`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, RandomRead};
use grampus_columns::{MappedColumn, ParsedMapping, TableFile, TableFileRequest, Written, merge_parquet};
use grampus_env::{Env, LocalEnv, path_of};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JClass, JIntArray, JObject, JString};
use jni::sys::{jboolean, jint, jlong};
use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};
use serde_json::json;

use crate::boundary::{BridgeError, BridgeResult, ThrowEngineException};
use crate::buffers;
use crate::file_upcalls::JavaFiles;
use crate::frozen_scan::Delivered;
use crate::frozen_scan_exports::take_scan;
use crate::handles::HandleTable;
use crate::sink_upcalls::{JavaSink, Shut};

/// A file until it is finished.
struct Slot {
    file: Mutex<Option<TableFile<JavaSink>>>,
    shut: Shut,
}

impl Drop for Slot {
    /// A file that is not finished leaves no bytes for a sink that may be closed already.
    fn drop(&mut self) {
        self.shut.shut();
    }
}

static TABLE_FILES: HandleTable<Slot> = HandleTable::new("file of a table");

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
        let shut = sink.shutter();
        let file = Mutex::new(Some(request.create(sink)?));
        Ok(TABLE_FILES.insert(Arc::new(Slot { file, shut })))
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
        let (sink, written) = match files.is_null() {
            true => {
                let local = LocalEnv::new();
                merge_parquet(paths.iter().map(|path| open_part(&local, path_of(path)?)), sink)?
            }
            false => {
                let java = JavaFiles::new(env, &files)?;
                merge_parquet(paths.iter().map(|path| open_part(&java, path.into())), sink)?
            }
        };
        report(env, sink, &written)
    })
    .resolve::<ThrowEngineException>()
}

fn open_part(files: &dyn Env, path: PathBuf) -> Result<Arc<dyn RandomRead>, Error> {
    files.open(&path).map_err(|e| Error::io("open", path, e))
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
        let slot = TABLE_FILES.get(file)?;
        Ok(open_file(&slot)?.begin(scan)?)
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
        let slot = TABLE_FILES.get(file)?;
        let mut file = open_file(&slot)?;
        let more = file.advance()?;
        if let Some(scan) = file.scan() {
            Delivered::elsewhere(file.scan_rows(), more).write(scan, info);
        }
        Ok(more)
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
        let slot = TABLE_FILES.get(file)?;
        Ok(open_file(&slot)?.append(cells, &counts)?)
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
        drop(open_file(&slot)?); // a call that runs would be cut off
        let open = slot.file.lock().take().ok_or_else(finished)?;
        let (sink, written) = open.finish()?;
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

/// The file of a slot, for one call at a time. A second call fails and does not wait: it may come out of the sink's upcall of the first.
fn open_file(slot: &Slot) -> Result<MappedMutexGuard<'_, TableFile<JavaSink>>, Error> {
    let guard = slot
        .file
        .try_lock()
        .ok_or_else(|| Error::new(ErrorKind::Bug, "a file of a table is used by two calls at a time"))?;
    MutexGuard::try_map(guard, Option::as_mut).map_err(|_| finished())
}

fn finished() -> Error {
    Error::new(ErrorKind::NotServing, "the file of a table is finished")
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
