//! `org.grampus.engine.NativeRegion`.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use grampus_base::ErrorKind;
use grampus_engine::{GetOutcome, MutateStatus, Region};
use jni::EnvUnowned;
use jni::objects::{JByteArray, JByteBuffer, JClass, JObject, JString};
use jni::sys::{jboolean, jint, jlong};
use parking_lot::Mutex;

use crate::boundary::{BridgeResult, export};
use crate::fence_upcalls::JavaFence;
use crate::handles::HandleTable;
use crate::overflow::Overflow;
use crate::scanner_exports::SCANNERS;
use crate::{buffers, pieces_reply, stats_reply, status};

pub(crate) static REGIONS: HandleTable<RegionSlot> = HandleTable::new("region");

/// A region with its engine's overflow store.
pub(crate) struct RegionSlot {
    pub(crate) region: Arc<Region>,
    pub(crate) overflow: Arc<Overflow>,
}

thread_local! {
    /// A mutation's output is produced here, since it must not be lost when the caller's buffer is too small.
    static MUTATE_OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// `long mutate0(long region, long token, ByteBuffer ops, int, int, ByteBuffer cells, int, int, ByteBuffer out, int, int)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_mutate0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    token: jlong,
    ops: JByteBuffer<'local>,
    ops_offset: jint,
    ops_length: jint,
    cells: JByteBuffer<'local>,
    cells_offset: jint,
    cells_length: jint,
    out: JByteBuffer<'local>,
    out_offset: jint,
    out_length: jint,
) -> jlong {
    export(env, |env| {
        let ops = buffers::input(env, &ops, ops_offset, ops_length)?;
        let cells = buffers::input(env, &cells, cells_offset, cells_length)?;
        let out = buffers::output(env, &out, out_offset, out_length)?;
        let slot = REGIONS.get(region)?;
        MUTATE_OUTPUT.with_borrow_mut(|output| mutate(&slot, token.cast_unsigned(), ops, cells, out, output))
    })
}

fn mutate(
    slot: &RegionSlot,
    token: u64,
    ops: &[u8],
    cells: &[u8],
    out: &mut [u8],
    output: &mut Vec<u8>,
) -> BridgeResult<jlong> {
    output.clear();
    let done = match slot.region.mutate(ops, cells, token, output)? {
        MutateStatus::Done => status::DONE,
        MutateStatus::Pending => status::PENDING,
        MutateStatus::WouldBlock => return Ok(status::pack(status::WOULD_BLOCK, 0)),
        MutateStatus::Wait(wait) => {
            let micros = usize::try_from(wait.as_micros()).unwrap_or(usize::MAX);
            return Ok(status::pack(status::WAIT, micros));
        }
    };
    match out.get_mut(..output.len()) {
        Some(head) => {
            head.copy_from_slice(output);
            Ok(status::pack(done, output.len()))
        }
        None => {
            let bytes = output.len();
            slot.overflow.put(token, std::mem::take(output));
            Ok(status::pack(done + status::OVERFLOW, bytes))
        }
    }
}

/// `long get0(long region, ByteBuffer spec, int, int, ByteBuffer out, int, int)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_get0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    spec: JByteBuffer<'local>,
    spec_offset: jint,
    spec_length: jint,
    out: JByteBuffer<'local>,
    out_offset: jint,
    out_length: jint,
) -> jlong {
    export(env, |env| {
        let spec = buffers::input(env, &spec, spec_offset, spec_length)?;
        let out = buffers::output(env, &out, out_offset, out_length)?;
        Ok(match REGIONS.get(region)?.region.get_counted(spec, out)? {
            (GetOutcome::Done(bytes), scanned) => status::pack_get(bytes, scanned),
            (GetOutcome::WouldBlock, _) => status::pack(status::WOULD_BLOCK, 0),
            (GetOutcome::NeedBytes(bytes), _) => status::pack(status::NEED_BYTES, bytes),
        })
    })
}

/// `long openScanner0(long region, ByteBuffer spec, int offset, int length)`: 0 when it would block.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_openScanner0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    spec: JByteBuffer<'local>,
    offset: jint,
    length: jint,
) -> jlong {
    export(env, |env| {
        let spec = buffers::input(env, &spec, offset, length)?;
        match REGIONS.get(region)?.region.open_scanner(spec) {
            Ok(scanner) => Ok(SCANNERS.insert(Arc::new(Mutex::new(scanner)))),
            Err(e) if e.kind == ErrorKind::WouldBlock => Ok(0),
            Err(e) => Err(e.into()),
        }
    })
}

/// `String openReport0(long region)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_openReport0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
) -> JString<'local> {
    export(env, |env| {
        let report = REGIONS.get(region)?.region.open_report_json();
        Ok(env.new_string(report)?)
    })
}

/// `byte[] stats0(long region)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_stats0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
) -> JByteArray<'local> {
    export(env, |env| {
        let stats = REGIONS.get(region)?.region.stats();
        Ok(env.byte_array_from_slice(&stats_reply::encode(&[stats]))?)
    })
}

/// `void flush0(long region, boolean compact)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_flush0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    compact: jboolean,
) {
    export(env, |_| {
        let slot = REGIONS.get(region)?;
        if compact {
            slot.region.flush_and_compact()?
        } else {
            slot.region.flush()?
        };
        Ok(())
    })
}

/// `String snapshotFiles0(long region, boolean flush)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_snapshotFiles0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    flush: jboolean,
) -> JString<'local> {
    export(env, |env| {
        let files = REGIONS.get(region)?.region.snapshot_files(flush)?;
        Ok(env.new_string(files)?)
    })
}

/// `void compact0(long region, String requestJson)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_compact0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    request: JString<'local>,
) {
    export(env, |_| Ok(REGIONS.get(region)?.region.compact(&request.to_string())?))
}

/// `String loadFiles0(long region, String requestJson, BooleanSupplier mayWrite)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_loadFiles0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    request: JString<'local>,
    may_write: JObject<'local>,
) -> JString<'local> {
    export(env, |env| {
        let fence = JavaFence::new(env, &may_write)?;
        let loaded = REGIONS.get(region)?.region.load_files(&request.to_string(), &|| fence.check())?;
        Ok(env.new_string(loaded)?)
    })
}

/// `long clearCache0(long region)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_clearCache0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
) -> jlong {
    export(env, |_| Ok(REGIONS.get(region)?.region.clear_cache()?.try_into().unwrap_or(jlong::MAX)))
}

/// `String pieces0(long region, long pieceBytes, long timeMillis)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_pieces0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    piece_bytes: jlong,
    time_millis: jlong,
) -> JString<'local> {
    export(env, |env| {
        let time = Duration::from_millis(time_millis.max(0).cast_unsigned());
        let slot = REGIONS.get(region)?;
        let pieces = slot.region.pieces(piece_bytes.max(1).cast_unsigned(), time)?;
        Ok(env.new_string(pieces_reply::encode(pieces))?)
    })
}

/// `byte[] splitPoint0(long region)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_splitPoint0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
) -> JByteArray<'local> {
    export(env, |env| match REGIONS.get(region)?.region.split_point()? {
        Some(row) => Ok(env.byte_array_from_slice(&row)?),
        None => Ok(JByteArray::null()),
    })
}

/// `void close0(long region, boolean abort)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeRegion_close0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    abort: jboolean,
) {
    export(env, |_| Ok(REGIONS.remove(region)?.region.close(abort)?))
}
