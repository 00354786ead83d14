//! What may cross: a value, an engine error or a caught panic, the last two as `org.grampus.engine.EngineException`.

use std::any::Any;

use grampus_base::{Error, ErrorKind};
use jni::errors::ErrorPolicy;
use jni::objects::JThrowable;
use jni::{Env, EnvUnowned, jni_sig, jni_str};

/// An engine error or one of the JVM's on the way.
pub(crate) enum BridgeError {
    Engine(Error),
    Jvm(jni::errors::Error),
}

impl From<Error> for BridgeError {
    fn from(error: Error) -> Self {
        BridgeError::Engine(error)
    }
}

impl From<jni::errors::Error> for BridgeError {
    fn from(error: jni::errors::Error) -> Self {
        BridgeError::Jvm(error)
    }
}

pub(crate) type BridgeResult<T> = Result<T, BridgeError>;

/// Runs an exported function: its error or panic becomes a pending `EngineException`, and Java never sees the type's default that is returned then.
pub(crate) fn export<'local, T: Default>(
    mut env: EnvUnowned<'local>,
    body: impl FnOnce(&mut Env<'local>) -> BridgeResult<T>,
) -> T {
    env.with_env(body).resolve::<ThrowEngineException>()
}

/// Throws `EngineException` and returns the type's default.
struct ThrowEngineException;

impl<T: Default> ErrorPolicy<T, BridgeError> for ThrowEngineException {
    type Captures<'local: 'native_method, 'native_method> = ();

    fn on_error<'local: 'native_method, 'native_method>(
        env: &mut Env<'local>,
        _captures: &mut Self::Captures<'local, 'native_method>,
        error: BridgeError,
    ) -> jni::errors::Result<T> {
        match error {
            BridgeError::Engine(error) => throw(env, error.kind, &error.message)?,
            // A pending Java exception is on its way already and is left as it is.
            BridgeError::Jvm(jni::errors::Error::JavaException) => {}
            BridgeError::Jvm(error) => throw(env, ErrorKind::Bug, &format!("JNI call failed: {error}"))?,
        }
        Ok(T::default())
    }

    fn on_panic<'local: 'native_method, 'native_method>(
        env: &mut Env<'local>,
        _captures: &mut Self::Captures<'local, 'native_method>,
        payload: Box<dyn Any + Send + 'static>,
    ) -> jni::errors::Result<T> {
        throw(env, ErrorKind::Bug, &format!("the engine panicked: {}", panic_text(payload.as_ref())))?;
        Ok(T::default())
    }
}

fn throw(env: &mut Env<'_>, kind: ErrorKind, message: &str) -> jni::errors::Result<()> {
    let text = env.new_string(message)?;
    let exception = env.new_object(
        jni_str!("org/grampus/engine/EngineException"),
        jni_sig!("(ILjava/lang/String;)V"),
        &[(kind as i32).into(), (&text).into()],
    )?;
    let throwable = env.cast_local::<JThrowable>(exception)?;
    // `throw` reports the exception that it has just made pending as an error; that is the intended outcome.
    match env.throw(throwable) {
        Err(jni::errors::Error::JavaException) => Ok(()),
        other => other,
    }
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no text")
}
