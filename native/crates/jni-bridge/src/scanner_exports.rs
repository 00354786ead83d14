//! `org.grampus.engine.NativeScanner`.

use std::time::Duration;

use grampus_engine::{NextOutcome, ScanLimits, Scanner};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JClass};
use jni::sys::{jint, jlong};
use parking_lot::Mutex;

use crate::boundary::export;
use crate::handles::HandleTable;
use crate::{buffers, status};

/// One thread uses a scanner at a time; the lock holds a close from another thread off until a running call ends.
pub(crate) static SCANNERS: HandleTable<Mutex<Scanner>> = HandleTable::new("scanner");

const PARTIALS_ALLOWED: jint = 1;
const HEARTBEATS_ALLOWED: jint = 2;
const CONTINUES: jint = 4;
/// How often a call lets the server look whether its client is still there; `EngineScanner.PAUSE_MILLIS`.
const PAUSE_AFTER: Duration = Duration::from_millis(500);

/// `long next0(long scanner, int maxResults, int limitOfRows, long sizeLimit, long timeBudgetMillis, int flags, ByteBuffer out, int, int,
/// ByteBuffer info)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeScanner_next0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    scanner: jlong,
    max_results: jint,
    limit_of_rows: jint,
    size_limit: jlong,
    time_budget_millis: jlong,
    flags: jint,
    out: JByteBuffer<'local>,
    out_offset: jint,
    out_length: jint,
    info: JByteBuffer<'local>,
) -> jlong {
    export(env, |env| {
        let out = buffers::output(env, &out, out_offset, out_length)?;
        let info = buffers::whole_output(env, &info)?;
        let limits = ScanLimits {
            max_results: max_results.max(0).cast_unsigned(),
            limit_of_rows: limit_of_rows.max(0).cast_unsigned(),
            size_limit: size_limit.max(0).cast_unsigned(),
            time_budget: Duration::from_millis(time_budget_millis.max(0).cast_unsigned()),
            partials_allowed: flags & PARTIALS_ALLOWED != 0,
            heartbeats_allowed: flags & HEARTBEATS_ALLOWED != 0,
            pause_after: PAUSE_AFTER,
            continues: flags & CONTINUES != 0,
        };
        let slot = SCANNERS.get(scanner)?;
        let outcome = slot.lock().next(&limits, out, info)?;
        Ok(match outcome {
            NextOutcome::Done(bytes) => status::pack(status::DONE, bytes),
            NextOutcome::NeedBytes(bytes) => status::pack(status::NEED_BYTES, bytes),
            NextOutcome::WouldBlock => status::pack(status::WOULD_BLOCK, 0),
        })
    })
}

/// `long memoryBytes0(long scanner)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeScanner_memoryBytes0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    scanner: jlong,
) -> jlong {
    export(env, |_| {
        let bytes = SCANNERS.get(scanner)?.lock().count_memory();
        Ok(jlong::try_from(bytes).unwrap_or(jlong::MAX))
    })
}

/// `void dropPages0(long scanner)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeScanner_dropPages0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    scanner: jlong,
) {
    export(env, |_| {
        SCANNERS.get(scanner)?.lock().drop_pages();
        Ok(())
    })
}

/// `void close0(long scanner)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeScanner_close0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    scanner: jlong,
) {
    SCANNERS.close(env, scanner)
}
