//! `org.grampus.engine.NativeBatchStream` and `NativeArrowStruct`.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind};
use grampus_columns::{ArrowStruct, BatchStream, BatchStreamRequest};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JClass, JIntArray, JString};
use jni::sys::{jboolean, jint, jlong};
use parking_lot::{Mutex, MutexGuard};

use crate::boundary::{BridgeError, ThrowEngineException};
use crate::buffers;
use crate::frozen_scan::Delivered;
use crate::frozen_scan_exports::take_scan;
use crate::handles::HandleTable;
use crate::table_file_exports::cell_counts;

static BATCH_STREAMS: HandleTable<Mutex<BatchStream>> = HandleTable::new("stream of batches");
static ARROW_STRUCTS: HandleTable<ArrowStruct> = HandleTable::new("Arrow struct");

/// What Java knows as no handle.
const NOTHING: jlong = 0;

/// `long open0(String requestJson)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_open0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    request: JString<'local>,
) -> jlong {
    env.with_env(|_| -> Result<jlong, BridgeError> {
        let stream = BatchStreamRequest::parse(&request.to_string())?.create()?;
        Ok(BATCH_STREAMS.insert(Arc::new(Mutex::new(stream))))
    })
    .resolve::<ThrowEngineException>()
}

/// `long schema0(long stream)`: the handle of a struct.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_schema0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
) -> jlong {
    env.with_env(|_| -> Result<jlong, BridgeError> {
        let slot = BATCH_STREAMS.get(stream)?;
        let schema = in_use(&slot)?.schema()?;
        Ok(ARROW_STRUCTS.insert(Arc::new(schema)))
    })
    .resolve::<ThrowEngineException>()
}

/// `void begin0(long stream, long scan)`: the scan's handle ends, whatever comes.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_begin0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
    scan: jlong,
) {
    env.with_env(|_| -> Result<(), BridgeError> {
        let scan = take_scan(scan)?;
        let slot = BATCH_STREAMS.get(stream)?;
        Ok(in_use(&slot)?.begin(scan)?)
    })
    .resolve::<ThrowEngineException>()
}

/// `boolean advance0(long stream, ByteBuffer info)`: the info block has counts, the row that was looked at last, and no result.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_advance0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
    info: JByteBuffer<'local>,
) -> jboolean {
    env.with_env(|env| -> Result<jboolean, BridgeError> {
        let info = buffers::whole_output(env, &info)?;
        let slot = BATCH_STREAMS.get(stream)?;
        let mut stream = in_use(&slot)?;
        let more = stream.advance()?;
        if let Some(scan) = stream.scan() {
            Delivered::elsewhere(stream.scan_rows(), more).write(scan, info);
        }
        Ok(more)
    })
    .resolve::<ThrowEngineException>()
}

/// `void append0(long stream, ByteBuffer cells, int offset, int length, int[] counts, int rows)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_append0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
    cells: JByteBuffer<'local>,
    offset: jint,
    length: jint,
    counts: JIntArray<'local>,
    rows: jint,
) {
    env.with_env(|env| -> Result<(), BridgeError> {
        let cells = buffers::input(env, &cells, offset, length)?;
        let counts = cell_counts(env, &counts, rows)?;
        let slot = BATCH_STREAMS.get(stream)?;
        Ok(in_use(&slot)?.append(cells, &counts)?)
    })
    .resolve::<ThrowEngineException>()
}

/// `long take0(long stream)`: the handle of a struct, or 0.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_take0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
) -> jlong {
    env.with_env(|_| -> Result<jlong, BridgeError> {
        let slot = BATCH_STREAMS.get(stream)?;
        let batch = in_use(&slot)?.take()?;
        Ok(batch.map_or(NOTHING, |batch| ARROW_STRUCTS.insert(Arc::new(batch))))
    })
    .resolve::<ThrowEngineException>()
}

/// `void close0(long stream)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_close0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
) {
    env.with_env(|_| -> Result<(), BridgeError> {
        drop(BATCH_STREAMS.remove(stream)?);
        Ok(())
    })
    .resolve::<ThrowEngineException>()
}

/// `long address0(long struct)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeArrowStruct_address0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> jlong {
    env.with_env(|_| -> Result<jlong, BridgeError> {
        Ok((ARROW_STRUCTS.get(handle)?.address() as u64).cast_signed())
    })
    .resolve::<ThrowEngineException>()
}

/// `void close0(long struct)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeArrowStruct_close0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) {
    env.with_env(|_| -> Result<(), BridgeError> {
        drop(ARROW_STRUCTS.remove(handle)?);
        Ok(())
    })
    .resolve::<ThrowEngineException>()
}

/// The stream of a slot, for one call at a time. A second call fails and does not wait: it may come out of an upcall of the first.
fn in_use(slot: &Mutex<BatchStream>) -> Result<MutexGuard<'_, BatchStream>, Error> {
    slot.try_lock()
        .ok_or_else(|| Error::new(ErrorKind::Bug, "a stream of batches is used by two calls at a time"))
}
