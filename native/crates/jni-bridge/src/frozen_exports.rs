//! `org.grampus.engine.NativeFrozenRegion`.

use std::sync::Arc;

use grampus_base::to_hex;
use grampus_env::LocalEnv;
use grampus_filter::pattern::{NoPatternCompiler, PatternCompiler};
use grampus_store::{FamilyColumns, FrozenRegion, FrozenRequest};
use jni::EnvUnowned;
use jni::objects::{JByteBuffer, JClass, JObject, JString};
use jni::sys::{jint, jlong};
use serde_json::{Value, json};

use crate::boundary::export;
use crate::file_upcalls::JavaFiles;
use crate::frozen_scan_exports::give_scan;
use crate::handles::HandleTable;
use crate::pattern_upcalls::JavaPatternCompiler;
use crate::{buffers, pieces_reply};

static FROZEN_REGIONS: HandleTable<FrozenRegion> = HandleTable::new("frozen region");

/// `long open0(String requestJson, FileOpener files, PatternCompiler patterns)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeFrozenRegion_open0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    request: JString<'local>,
    files: JObject<'local>,
    patterns: JObject<'local>,
) -> jlong {
    export(env, |env| {
        let request = FrozenRequest::parse(&request.to_string())?;
        let patterns: Arc<dyn PatternCompiler> = match patterns.is_null() {
            true => Arc::new(NoPatternCompiler),
            false => Arc::new(JavaPatternCompiler::new(env, &patterns)?),
        };
        let region = match files.is_null() {
            true => request.open_local(Arc::new(LocalEnv::new()), patterns)?,
            false => request.open_in(Arc::new(JavaFiles::new(env, &files)?), patterns)?,
        };
        Ok(FROZEN_REGIONS.insert(Arc::new(region)))
    })
}

/// `String pieces0(long region, long pieceBytes)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeFrozenRegion_pieces0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    piece_bytes: jlong,
) -> JString<'local> {
    export(env, |env| {
        let pieces = FROZEN_REGIONS.get(region)?.pieces(piece_bytes.max(1).cast_unsigned())?;
        Ok(env.new_string(pieces_reply::encode(pieces))?)
    })
}

/// `String columns0(long region, int most)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeFrozenRegion_columns0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    most: jint,
) -> JString<'local> {
    export(env, |env| {
        let families = FROZEN_REGIONS.get(region)?.columns(usize::try_from(most).unwrap_or(0))?;
        let document = |columns: FamilyColumns| {
            let qualifiers: Vec<String> = columns.qualifiers.iter().map(|name| to_hex(name)).collect();
            json!({"family": to_hex(&columns.family), "qualifiers": qualifiers, "complete": columns.complete})
        };
        let documents: Vec<Value> = families.into_iter().map(document).collect();
        Ok(env.new_string(Value::from(documents).to_string())?)
    })
}

/// `String reads0(long region)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeFrozenRegion_reads0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
) -> JString<'local> {
    export(env, |env| {
        let reads = FROZEN_REGIONS.get(region)?.reads();
        let document = json!({
            "cacheHits": reads.cache_hits,
            "cacheMisses": reads.cache_misses,
            "readBytes": reads.read_bytes,
        });
        Ok(env.new_string(document.to_string())?)
    })
}

/// `long scan0(long region, ByteBuffer spec, int offset, int length, long nowMillis)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeFrozenRegion_scan0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
    spec: JByteBuffer<'local>,
    offset: jint,
    length: jint,
    now_millis: jlong,
) -> jlong {
    export(env, |env| {
        let spec = buffers::input(env, &spec, offset, length)?;
        let scan = FROZEN_REGIONS.get(region)?.scan(spec, now_millis)?;
        Ok(give_scan(scan))
    })
}

/// `void close0(long region)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeFrozenRegion_close0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    region: jlong,
) {
    FROZEN_REGIONS.close(env, region)
}
