//! The one way from the engine into Java: patterns that only `java.util.regex` or Joni can evaluate.
//!
//! Compile and find run on a thread of Java that is inside one of our exports, never on a thread of the engine. They hold whatever
//! locks the call holds, so the Java side must neither wait nor come back into the engine (docs/jni.md). What it throws is caught here.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_filter::pattern::{CompiledPattern, PatternCompiler, PatternSource};
use jni::ids::JMethodID;
use jni::objects::{Global, JObject, JString, JValue};
use jni::signature::{Primitive, ReturnType};
use jni::{Env, JavaVM, jni_sig, jni_str};

use crate::boundary::{BridgeError, BridgeResult};

const LOCAL_REFERENCES: usize = 8;
const FOUND: i32 = 1;
const FAILED: i32 = 2;

/// `org.grampus.engine.PatternCompiler`, kept as long as its engine.
pub(crate) struct JavaPatternCompiler {
    compiler: Global<JObject<'static>>,
    upcalls: Arc<Upcalls>,
}

/// The methods, which the compiler's class keeps valid: it is reachable through the compiler or one of its patterns.
struct Upcalls {
    vm: JavaVM,
    compile: JMethodID,
    find: JMethodID,
    failure: JMethodID,
}

struct JavaPattern {
    pattern: Global<JObject<'static>>,
    upcalls: Arc<Upcalls>,
}

impl JavaPatternCompiler {
    /// The compiler that the caller of `open0` gave.
    pub(crate) fn new(env: &mut Env<'_>, compiler: &JObject<'_>) -> BridgeResult<JavaPatternCompiler> {
        let compiler_class = jni_str!("org/grampus/engine/PatternCompiler");
        let pattern_class = jni_str!("org/grampus/engine/CompiledPattern");
        let compile = jni_sig!("([BI[BI)Lorg/grampus/engine/CompiledPattern;");
        Ok(JavaPatternCompiler {
            compiler: env.new_global_ref(compiler)?,
            upcalls: Arc::new(Upcalls {
                vm: env.get_java_vm()?,
                compile: env.get_method_id(compiler_class, jni_str!("compile"), compile)?,
                find: env.get_method_id(pattern_class, jni_str!("find"), jni_sig!("([B)I"))?,
                failure: env.get_method_id(
                    pattern_class,
                    jni_str!("failure"),
                    jni_sig!("()Ljava/lang/String;"),
                )?,
            }),
        })
    }
}

impl PatternCompiler for JavaPatternCompiler {
    fn compile(&self, source: &PatternSource) -> Result<Box<dyn CompiledPattern>> {
        self.upcalls.run(|env| {
            let text = env.byte_array_from_slice(source.text.as_bytes())?;
            let charset = env.byte_array_from_slice(source.charset.as_bytes())?;
            let arguments = [
                JValue::from(&text).as_jni(),
                JValue::from(source.flags.cast_signed()).as_jni(),
                JValue::from(&charset).as_jni(),
                JValue::from(source.engine as i32).as_jni(),
            ];
            let compile = self.upcalls.compile;
            // SAFETY: the method is `PatternCompiler.compile`, of this signature, and the object is a PatternCompiler.
            let pattern = unsafe {
                env.call_method_unchecked(&self.compiler, compile, ReturnType::Object, &arguments)?
            }
            .l()?;
            if pattern.is_null() {
                return Err(Error::new(ErrorKind::Bug, "the compiler of patterns returned null").into());
            }
            if let Some(failure) = self.upcalls.failure_of(env, &pattern)? {
                return Err(Error::new(ErrorKind::BadRequest, failure).into());
            }
            let pattern = env.new_global_ref(pattern)?;
            let compiled: Box<dyn CompiledPattern> =
                Box::new(JavaPattern { pattern, upcalls: Arc::clone(&self.upcalls) });
            Ok(compiled)
        })
    }
}

impl CompiledPattern for JavaPattern {
    fn find(&self, bytes: &[u8]) -> Result<bool> {
        self.upcalls.run(|env| {
            let bytes = env.byte_array_from_slice(bytes)?;
            let arguments = [JValue::from(&bytes).as_jni()];
            let (find, answer) = (self.upcalls.find, ReturnType::Primitive(Primitive::Int));
            // SAFETY: the method is `CompiledPattern.find`, of this signature, and the object is a CompiledPattern.
            match unsafe { env.call_method_unchecked(&self.pattern, find, answer, &arguments)? }.i()? {
                FAILED => {
                    let failure = self.upcalls.failure_of(env, &self.pattern)?;
                    Err(Error::new(ErrorKind::BadRequest, failure.unwrap_or_default()).into())
                }
                answer => Ok(answer == FOUND),
            }
        })
    }
}

impl Upcalls {
    /// Runs an upcall in a frame of its own, so that a scan of many rows leaves no local references behind.
    fn run<T>(&self, upcall: impl FnOnce(&mut Env<'_>) -> BridgeResult<T>) -> Result<T> {
        let outcome = self.vm.with_local_frame(LOCAL_REFERENCES, |env| -> BridgeResult<T> {
            upcall(env).map_err(|error| match error {
                BridgeError::Jvm(error) => caught(env, error).into(),
                engine => engine,
            })
        });
        outcome.map_err(|error| match error {
            BridgeError::Engine(error) => error,
            BridgeError::Jvm(error) => broken(&error),
        })
    }

    fn failure_of(&self, env: &mut Env<'_>, pattern: &JObject<'_>) -> BridgeResult<Option<String>> {
        // SAFETY: the method is `CompiledPattern.failure`, of this signature, and the object is a CompiledPattern.
        let text = unsafe { env.call_method_unchecked(pattern, self.failure, ReturnType::Object, &[])? };
        let text = text.l()?;
        if text.is_null() {
            return Ok(None);
        }
        Ok(Some(env.cast_local::<JString>(text)?.try_to_string(env)?))
    }
}

/// The error for an exception that is pending, which is cleared, or for another failure of JNI.
fn caught(env: &mut Env<'_>, error: jni::errors::Error) -> Error {
    match error {
        jni::errors::Error::JavaException => broken(&env.exception_catch().err().unwrap_or(error)),
        other => broken(&other),
    }
}

fn broken(error: &jni::errors::Error) -> Error {
    Error::new(ErrorKind::Bug, format!("the compiler of patterns failed: {error}"))
}
