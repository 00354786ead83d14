//! `org.grampus.engine.FileSystemCheck`.

use grampus_base::Error;
use grampus_env::{contract, place_of};
use jni::EnvUnowned;
use jni::objects::{JClass, JObject, JString};

use crate::boundary::export;
use crate::hadoop_env::HadoopEnv;

/// `void check0(EngineFiles files, String directory)`
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_FileSystemCheck_check0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    files: JObject<'local>,
    directory: JString<'local>,
) {
    export(env, |env| {
        let directory = place_of(&directory.to_string())?;
        let files = HadoopEnv::new(env, &files)?;
        Ok(contract::check(&files, &directory).map_err(|e| Error::io("check", directory, e))?)
    })
}
