//! Calls of Java's methods from any thread of the engine: each in a frame of its own, and an exception becomes an [`io::Error`].

use std::io;

use jni::JavaVM;
use jni::ids::JMethodID;
use jni::objects::{Global, JByteBuffer, JClass, JObject, JString, JThrowable, JValue};
use jni::signature::{Primitive, ReturnType};
use jni::strings::JNIStr;
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
    /// `FileException`, whose code says what kind of failure it is.
    failed: Global<JClass<'static>>,
    code: JMethodID,
}

/// The `write(ByteBuffer)` of a class, which must not use its buffer after the call.
#[derive(Clone, Copy)]
pub(crate) struct WriteMethod(JMethodID);

impl WriteMethod {
    pub(crate) fn of(env: &mut jni::Env<'_>, class: &JNIStr) -> BridgeResult<WriteMethod> {
        let method = env.get_method_id(class, jni_str!("write"), jni_sig!("(Ljava/nio/ByteBuffer;)V"))?;
        Ok(WriteMethod(method))
    }
}

impl Upcaller {
    pub(crate) fn new(env: &mut jni::Env<'_>, noun: &'static str) -> BridgeResult<Upcaller> {
        let not_found = env.find_class(jni_str!("java/io/FileNotFoundException"))?;
        let failed = env.find_class(jni_str!("org/grampus/engine/FileException"))?;
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
            code: env.get_method_id(&failed, jni_str!("code"), jni_sig!("()I"))?,
            failed: env.new_global_ref(failed)?,
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
        let kind = self.kind_of(env, &thrown).unwrap_or_else(|_| {
            env.exception_clear();
            io::ErrorKind::Other
        });
        let text = self.text_of(env, &thrown).unwrap_or_else(|_| {
            env.exception_clear(); // also its text may throw
            "an exception that does not say what it is".to_string()
        });
        io::Error::new(kind, text)
    }

    /// What kind of failure an exception stands for.
    fn kind_of(&self, env: &mut jni::Env<'_>, thrown: &JThrowable<'_>) -> Result<io::ErrorKind, Failure> {
        if env.is_instance_of(thrown, &self.not_found)? {
            return Ok(io::ErrorKind::NotFound);
        }
        if !env.is_instance_of(thrown, &self.failed)? {
            return Ok(io::ErrorKind::Other);
        }
        let number = ReturnType::Primitive(Primitive::Int);
        // SAFETY: the method is `FileException.code`, of this signature, and the object is a FileException.
        let code = unsafe { env.call_method_unchecked(thrown, self.code, number, &[])? }.i()?;
        Ok(kind_of_code(code))
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

    /// Hands bytes over in an upcall. Anything less than all of them is an error.
    ///
    /// # Safety
    ///
    /// The object is of the class whose method this is.
    pub(crate) unsafe fn write(
        &self,
        object: &JObject<'_>,
        method: WriteMethod,
        bytes: &mut [u8],
    ) -> io::Result<()> {
        let length = bytes.len();
        let taken = self.run(|env| {
            // SAFETY: the memory is `bytes`, which is not touched during the call; the method does not use the buffer after it.
            let buffer = unsafe { env.new_direct_byte_buffer(bytes.as_mut_ptr(), length)? };
            let nothing = ReturnType::Primitive(Primitive::Void);
            let arguments = [JValue::from(&buffer).as_jni()];
            // SAFETY: the method has this signature, and the object is of its class: the caller says so.
            unsafe { env.call_method_unchecked(object, method.0, nothing, &arguments)? };
            self.position(env, &buffer)
        })?;
        if taken != length {
            let message = format!("{} took {taken} of {length} bytes", self.noun);
            return Err(io::Error::new(io::ErrorKind::WriteZero, message));
        }
        Ok(())
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

/// `FileException.Kind` of Java; the golden file of layouts has the codes.
pub(crate) const FILE_FAILURES: [(&str, i32, io::ErrorKind); 9] = [
    ("not_found", 1, io::ErrorKind::NotFound),
    ("already_exists", 2, io::ErrorKind::AlreadyExists),
    ("no_space", 3, io::ErrorKind::StorageFull),
    ("not_empty", 4, io::ErrorKind::DirectoryNotEmpty),
    ("not_a_directory", 5, io::ErrorKind::NotADirectory),
    ("not_a_file", 6, io::ErrorKind::InvalidInput),
    ("fenced", 7, io::ErrorKind::StaleNetworkFileHandle),
    ("not_allowed", 8, io::ErrorKind::PermissionDenied),
    ("unavailable", 9, io::ErrorKind::ResourceBusy),
];

fn kind_of_code(code: i32) -> io::ErrorKind {
    let known = FILE_FAILURES.iter().find(|(_, known, _)| *known == code);
    known.map_or(io::ErrorKind::Other, |(_, _, kind)| *kind)
}
