//! `org.grampus.engine.NativeInspector`.

use jni::EnvUnowned;
use jni::objects::{JClass, JString};

use crate::boundary::{BridgeError, ThrowEngineException};

/// `String inspect0(String requestJson)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeInspector_inspect0<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    request: JString<'local>,
) -> JString<'local> {
    env.with_env(|env| -> Result<JString<'local>, BridgeError> {
        let document = grampus_inspect::inspect(&request.to_string())?;
        Ok(env.new_string(document)?)
    })
    .resolve::<ThrowEngineException>()
}
