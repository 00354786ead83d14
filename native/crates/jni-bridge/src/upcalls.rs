//! Calls of Java's methods from any thread of the engine: each in a frame of its own, and an exception becomes an [`io::Error`].

use std::io;

use jni::JavaVM;
use jni::ids::JMethodID;
use jni::objects::{Global, JByteBuffer, JClass, JString, JThrowable};
use jni::signature::{Primitive, ReturnType};
use jni::{jni_sig, jni_str};

use crate::boundary::BridgeResult;
use crate::java_thread;

const LOCAL_REFERENCES: usize = 8;

/// Why an upcall has no result.
pub(crate) enum Failure {
    Io(io::Error),
    Jvm(jni::errors::Error),
}

impl From<jni::errors::Error> for Failure {
    fn from(error: jni::errors::Error) -> Failure {
        Failure::Jvm(error)
    }
}

/// Makes upcalls. Its methods and classes are the JVM's own, which never go.
pub(crate) struct Upcaller {
    vm: JavaVM,
    /// Name of the Java object in errors.
    noun: &'static str,
    text: JMethodID,
    position: JMethodID,
    not_found: Global<JClass<'static>>,
}

impl Upcaller {
    pub(crate) fn new(env: &mut jni::Env<'_>, noun: &'static str) -> BridgeResult<Upcaller> {
        let not_found = env.find_class(jni_str!("java/io/FileNotFoundException"))?;
        Ok(Upcaller {
            vm: env.get_java_vm()?,
            noun,
            text: env.get_method_id(
                jni_str!("java/lang/Throwable"),
                jni_str!("toString"),
                jni_sig!("()Ljava/lang/String;"),
            )?,
            position: env.get_method_id(
                jni_str!("java/nio/Buffer"),
                jni_str!("position"),
                jni_sig!("()I"),
            )?,
            not_found: env.new_global_ref(not_found)?,
        })
    }

    /// Runs an upcall in a frame of its own, so that a scan of many pages leaves no local references behind.
    pub(crate) fn run<T>(
        &self,
        upcall: impl FnOnce(&mut jni::Env<'_>) -> Result<T, Failure>,
    ) -> io::Result<T> {
        java_thread::attach(&self.vm).map_err(|e| self.broken(&e))?;
        let outcome = self.vm.with_local_frame(LOCAL_REFERENCES, |env| -> Result<T, Failure> {
            upcall(env).map_err(|failure| match failure {
                Failure::Jvm(jni::errors::Error::JavaException) => Failure::Io(self.caught(env)),
                other => other,
            })
        });
        outcome.map_err(|failure| match failure {
            Failure::Io(error) => error,
            Failure::Jvm(error) => self.broken(&error),
        })
    }

    /// The error for the exception that is pending, which is cleared.
    fn caught(&self, env: &mut jni::Env<'_>) -> io::Error {
        let Some(thrown) = env.exception_occurred() else {
            return self.broken(&jni::errors::Error::JavaException);
        };
        env.exception_clear();
        let missing = env.is_instance_of(&thrown, &self.not_found).unwrap_or(false);
        let text = self.text_of(env, &thrown).unwrap_or_else(|_| {
            env.exception_clear(); // also its text may throw
            "an exception that does not say what it is".to_string()
        });
        io::Error::new(if missing { io::ErrorKind::NotFound } else { io::ErrorKind::Other }, text)
    }

    /// Class and message of an exception.
    fn text_of(&self, env: &mut jni::Env<'_>, thrown: &JThrowable<'_>) -> Result<String, Failure> {
        // SAFETY: the method is `Throwable.toString`, of this signature, and the object is a Throwable.
        let text = unsafe { env.call_method_unchecked(thrown, self.text, ReturnType::Object, &[])? }.l()?;
        if text.is_null() {
            return Err(Failure::Io(io::Error::other("no text")));
        }
        Ok(env.cast_local::<JString>(text)?.try_to_string(env)?)
    }

    /// Where a buffer stands behind an upcall that has filled or emptied it.
    pub(crate) fn position(
        &self,
        env: &mut jni::Env<'_>,
        buffer: &JByteBuffer<'_>,
    ) -> Result<usize, Failure> {
        let number = ReturnType::Primitive(Primitive::Int);
        // SAFETY: the method is `Buffer.position`, of this signature, and the object is a ByteBuffer.
        let position = unsafe { env.call_method_unchecked(buffer, self.position, number, &[])? }.i()?;
        usize::try_from(position).map_err(|e| Failure::Io(io::Error::other(e)))
    }

    fn broken(&self, error: &jni::errors::Error) -> io::Error {
        io::Error::other(format!("{} cannot be called: {error}", self.noun))
    }
}
