//! `org.grampus.engine.NativeEngine`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use grampus_engine::Engine;
use grampus_env::{Env, LocalEnv};
use grampus_filter::pattern::{NoPatternCompiler, PatternCompiler};
use jni::EnvUnowned;
use jni::objects::{JByteArray, JByteBuffer, JClass, JObject, JString};
use jni::sys::{jboolean, jint, jlong};
use parking_lot::Mutex;

use crate::boundary::export;
use crate::buffers;
use crate::hadoop_env::HadoopEnv;
use crate::handles::HandleTable;
use crate::overflow::Overflow;
use crate::pattern_upcalls::JavaPatternCompiler;
use crate::region_exports::{REGIONS, RegionSlot};
use crate::stats_reply;

pub(crate) static ENGINES: HandleTable<EngineSlot> = HandleTable::new("engine");

/// A completion entry: `u64 token | u8 kind | 7 x 0`.
pub(crate) mod completion {
    pub(crate) const TOKEN: usize = 0;
    pub(crate) const KIND: usize = TOKEN + 8;
    pub(crate) const ENTRY_BYTES: usize = KIND + 8;
}

/// An engine with what the boundary keeps for it.
pub(crate) struct EngineSlot {
    engine: Arc<Engine>,
    overflow: Arc<Overflow>,
    completions: Mutex<VecDeque<(u64, u8)>>,
}

/// `long open0(String configJson, PatternCompiler patterns, EngineFiles files)`: `files` is null for local disks.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_open0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    config: JString<'local>,
    patterns: JObject<'local>,
    files: JObject<'local>,
) -> jlong {
    export(env, |env| {
        let patterns: Arc<dyn PatternCompiler> = match patterns.is_null() {
            true => Arc::new(NoPatternCompiler),
            false => Arc::new(JavaPatternCompiler::new(env, &patterns)?),
        };
        let files: Arc<dyn Env> = match files.is_null() {
            true => Arc::new(LocalEnv::new()),
            false => Arc::new(HadoopEnv::new(env, &files)?),
        };
        let engine = Engine::open_with(files, patterns, &config.to_string())?;
        Ok(ENGINES.insert(Arc::new(EngineSlot {
            engine,
            overflow: Arc::default(),
            completions: Mutex::default(),
        })))
    })
}

/// `void startWal0(long engine, String dir, String oldDir, String prefix)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_startWal0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
    dir: JString<'local>,
    old_dir: JString<'local>,
    prefix: JString<'local>,
) {
    export(env, |_| {
        let slot = ENGINES.get(engine)?;
        Ok(slot.engine.start_wal(&dir.to_string(), &old_dir.to_string(), &prefix.to_string())?)
    })
}

/// `long openRegion0(long engine, String requestJson)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_openRegion0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
    request: JString<'local>,
) -> jlong {
    export(env, |_| {
        let slot = ENGINES.get(engine)?;
        let region = slot.engine.open_region(&request.to_string())?;
        Ok(REGIONS.insert(Arc::new(RegionSlot { region, overflow: slot.overflow.clone() })))
    })
}

/// `String splitWal0(long engine, String requestJson)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_splitWal0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
    request: JString<'local>,
) -> JString<'local> {
    export(env, |env| {
        let report = ENGINES.get(engine)?.engine.split_wal(&request.to_string())?;
        Ok(env.new_string(report)?)
    })
}

/// `int takeOverflow0(long engine, long token, ByteBuffer out, int offset, int length)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_takeOverflow0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
    token: jlong,
    out: JByteBuffer<'local>,
    offset: jint,
    length: jint,
) -> jint {
    export(env, |env| {
        let target = buffers::output(env, &out, offset, length)?;
        let bytes = ENGINES.get(engine)?.overflow.take(token.cast_unsigned(), target)?;
        Ok(length.min(jint::try_from(bytes).unwrap_or(jint::MAX))) // it fitted into `length` bytes
    })
}

/// `int pollCompletions0(long engine, ByteBuffer out, long timeoutMillis)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_pollCompletions0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
    out: JByteBuffer<'local>,
    timeout_millis: jlong,
) -> jint {
    export(env, |env| {
        let target = buffers::whole_output(env, &out)?;
        let slot = ENGINES.get(engine)?;
        let mut waiting = slot.completions.lock();
        if waiting.is_empty() {
            let mut batch = Vec::new();
            if !slot
                .engine
                .poll_completions(&mut batch, Duration::from_millis(timeout_millis.max(0).cast_unsigned()))
                && batch.is_empty()
            {
                return Ok(-1);
            }
            waiting.extend(batch);
        }
        let mut count = 0;
        for (entry, (token, kind)) in target.chunks_exact_mut(completion::ENTRY_BYTES).zip(waiting.iter()) {
            entry.fill(0);
            entry[completion::TOKEN..completion::KIND].copy_from_slice(&token.to_le_bytes());
            entry[completion::KIND] = *kind;
            count += 1;
        }
        waiting.drain(..count);
        Ok(jint::try_from(count).unwrap_or(jint::MAX)) // no more than the buffer holds
    })
}

/// `String pollEvents0(long engine, long timeoutMillis)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_pollEvents0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
    timeout_millis: jlong,
) -> JString<'local> {
    export(env, |env| {
        let slot = ENGINES.get(engine)?;
        match slot.engine.poll_events_json(Duration::from_millis(timeout_millis.max(0).cast_unsigned())) {
            Some(events) => Ok(env.new_string(events)?),
            None => Ok(JString::null()),
        }
    })
}

/// `byte[] regionStats0(long engine)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_regionStats0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
) -> JByteArray<'local> {
    export(env, |env| {
        let stats = ENGINES.get(engine)?.engine.region_stats();
        Ok(env.byte_array_from_slice(&stats_reply::encode(&stats))?)
    })
}

/// `String metrics0(long engine, long work)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_metrics0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
    work: jlong,
) -> JString<'local> {
    export(env, |env| {
        let metrics = ENGINES.get(engine)?.engine.metrics_after(work.cast_unsigned());
        Ok(env.new_string(metrics)?)
    })
}

/// `String logFailure0(long engine)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_logFailure0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
) -> JString<'local> {
    export(env, |env| match ENGINES.get(engine)?.engine.log_failure() {
        Some(why) => Ok(env.new_string(why)?),
        None => Ok(JString::null()),
    })
}

/// `boolean setCompactionsEnabled0(long engine, boolean enabled)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_setCompactionsEnabled0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
    enabled: jboolean,
) -> jboolean {
    export(env, |_| Ok(ENGINES.get(engine)?.engine.set_compactions_enabled(enabled)))
}

/// `void clearCompactions0(long engine)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_clearCompactions0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
) {
    export(env, |_| {
        ENGINES.get(engine)?.engine.clear_compactions();
        Ok(())
    })
}

/// `void rollWal0(long engine)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_rollWal0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
) {
    export(env, |_| Ok(ENGINES.get(engine)?.engine.roll_wal()?))
}

/// `void close0(long engine)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeEngine_close0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    engine: jlong,
) {
    export(env, |_| Ok(ENGINES.remove(engine)?.engine.close()?))
}
