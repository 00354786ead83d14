//! `org.grampus.engine.NativeInspector`.

use jni::EnvUnowned;
use jni::objects::{JClass, JString};

use crate::boundary::export;

/// `String inspect0(String requestJson)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeInspector_inspect0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    request: JString<'local>,
) -> JString<'local> {
    export(env, |env| {
        let document = grampus_inspect::inspect(&request.to_string())?;
        Ok(env.new_string(document)?)
    })
}
