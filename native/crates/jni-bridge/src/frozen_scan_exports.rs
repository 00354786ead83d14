//! `org.grampus.engine.NativeFrozenScan`.

use std::sync::Arc;
use std::time::Duration;

use grampus_base::{Error, ErrorKind};
use grampus_store::{FrozenLimits, FrozenScan};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JClass};
use jni::sys::{jint, jlong};
use parking_lot::Mutex;

use crate::boundary::export;
use crate::frozen_scan::{Delivery, FrozenCalls};
use crate::handles::HandleTable;
use crate::{buffers, status};

/// One thread uses a scan at a time. A call that finds it in use fails and does not wait: the other one may be its own, further up, if it comes
/// from a file that the scan reads.
static FROZEN_SCANS: HandleTable<Mutex<FrozenCalls>> = HandleTable::new("frozen scan");

/// Ends the handle of a scan of which nothing was read, for the reader that takes its rows.
pub(crate) fn take_scan(handle: jlong) -> Result<FrozenScan, Error> {
    let calls = Arc::into_inner(FROZEN_SCANS.remove(handle)?)
        .ok_or_else(|| Error::new(ErrorKind::Bug, "the scan is in a call and cannot be handed over"))?;
    calls.into_inner().into_scan()
}

/// Begins the handle of a scan.
pub(crate) fn give_scan(scan: FrozenScan) -> jlong {
    FROZEN_SCANS.insert(Arc::new(Mutex::new(FrozenCalls::new(scan))))
}

/// `long next0(long scan, int maxResults, long sizeLimit, long timeBudgetMillis, ByteBuffer out, int, int, ByteBuffer info)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeFrozenScan_next0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    scan: jlong,
    max_results: jint,
    size_limit: jlong,
    time_budget_millis: jlong,
    out: JByteBuffer<'local>,
    out_offset: jint,
    out_length: jint,
    info: JByteBuffer<'local>,
) -> jlong {
    export(env, |env| {
        let out = buffers::output(env, &out, out_offset, out_length)?;
        let info = buffers::whole_output(env, &info)?;
        let limits = FrozenLimits {
            rows: max_results.max(1).cast_unsigned(),
            bytes: size_limit.max(0).cast_unsigned(),
            time: Duration::from_millis(time_budget_millis.max(0).cast_unsigned()),
        };
        let slot = FROZEN_SCANS.get(scan)?;
        let mut calls = slot.try_lock().ok_or_else(|| {
            Error::new(ErrorKind::Bug, "a scan of frozen files is used by two calls at a time")
        })?;
        Ok(match calls.next(&limits, out, info)? {
            Delivery::Done(bytes) => status::pack(status::DONE, bytes),
            Delivery::NeedBytes(bytes) => status::pack(status::NEED_BYTES, bytes),
        })
    })
}

/// `void close0(long scan)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeFrozenScan_close0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    scan: jlong,
) {
    FROZEN_SCANS.close(env, scan)
}
