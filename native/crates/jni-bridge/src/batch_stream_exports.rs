//! `org.grampus.engine.NativeBatchStream` and `NativeArrowStruct`.

use std::sync::Arc;

use grampus_columns::{ArrowStruct, BatchStream, BatchStreamRequest};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JClass, JIntArray, JString};
use jni::sys::{jboolean, jint, jlong};
use parking_lot::Mutex;

use crate::boundary::export;
use crate::handles::HandleTable;
use crate::row_feed::{self, FeedSlot};

static BATCH_STREAMS: HandleTable<Mutex<BatchStream>> = HandleTable::new("stream of batches");
static ARROW_STRUCTS: HandleTable<ArrowStruct> = HandleTable::new("Arrow struct");

/// What Java knows as no handle.
const NOTHING: jlong = 0;

/// `long open0(String requestJson)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_open0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    request: JString<'local>,
) -> jlong {
    export(env, |_| {
        let stream = BatchStreamRequest::parse(&request.to_string())?.create()?;
        Ok(BATCH_STREAMS.insert(Arc::new(Mutex::new(stream))))
    })
}

/// `long schema0(long stream)`: the handle of a struct.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_schema0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
) -> jlong {
    export(env, |_| {
        let schema = BATCH_STREAMS.get(stream)?.call(|stream| stream.schema())?;
        Ok(ARROW_STRUCTS.insert(Arc::new(schema)))
    })
}

/// `void begin0(long stream, long scan)`: the scan's handle ends, whatever comes.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_begin0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
    scan: jlong,
) {
    row_feed::begin(&BATCH_STREAMS, env, stream, scan)
}

/// `boolean advance0(long stream, ByteBuffer info)`: the info block has counts, the row that was looked at last, and no result.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_advance0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
    info: JByteBuffer<'local>,
) -> jboolean {
    row_feed::advance(&BATCH_STREAMS, env, stream, &info)
}

/// `void append0(long stream, ByteBuffer cells, int offset, int length, int[] counts, int rows)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_append0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
    cells: JByteBuffer<'local>,
    offset: jint,
    length: jint,
    counts: JIntArray<'local>,
    rows: jint,
) {
    row_feed::append(&BATCH_STREAMS, env, stream, (&cells, offset, length), (&counts, rows))
}

/// `long take0(long stream)`: the handle of a struct, or 0.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_take0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
) -> jlong {
    export(env, |_| {
        let batch = BATCH_STREAMS.get(stream)?.call(|stream| stream.take())?;
        Ok(batch.map_or(NOTHING, |batch| ARROW_STRUCTS.insert(Arc::new(batch))))
    })
}

/// `void close0(long stream)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeBatchStream_close0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    stream: jlong,
) {
    BATCH_STREAMS.close(env, stream)
}

/// `long address0(long struct)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeArrowStruct_address0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) -> jlong {
    export(env, |_| Ok((ARROW_STRUCTS.get(handle)?.address() as u64).cast_signed()))
}

/// `void close0(long struct)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeArrowStruct_close0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    handle: jlong,
) {
    ARROW_STRUCTS.close(env, handle)
}
