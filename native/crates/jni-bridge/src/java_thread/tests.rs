//! A thread of Rust in a JVM that the test makes: no thread of Java is needed for what is tested here, and no class of ours.

use std::ffi::{CString, c_void};
use std::fs;
use std::mem::transmute;
use std::path::PathBuf;
use std::ptr::null_mut;

use jni::objects::{Global, JObject, JString};
use jni::sys::{JNI_OK, JNI_VERSION_1_8, JavaVMInitArgs, jint};
use jni::{jni_sig, jni_str};

use super::*;

type CreateJavaVm = unsafe extern "C" fn(*mut *mut jni::sys::JavaVM, *mut *mut c_void, *mut c_void) -> jint;

/// The JVM's library of the JDK that builds Java's half; `None` without one.
fn library() -> Option<PathBuf> {
    let homes = std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs = std::env::split_paths(&path).filter_map(|dir| fs::canonicalize(dir.join("java")).ok());
    let found = homes.chain(programs.filter_map(|java| Some(java.parent()?.parent()?.to_path_buf())));
    let name = if cfg!(target_os = "macos") { "libjvm.dylib" } else { "libjvm.so" };
    found.map(|home| home.join("lib/server").join(name)).find(|library| library.exists())
}

fn start(library: PathBuf) -> JavaVM {
    let name = CString::new(library.into_os_string().into_encoded_bytes()).unwrap();
    // SAFETY: both names are strings with an end; the library is a JVM's and stays loaded.
    let create = unsafe {
        let handle = libc::dlopen(name.as_ptr(), libc::RTLD_NOW);
        assert!(!handle.is_null(), "{name:?} is no library");
        libc::dlsym(handle, c"JNI_CreateJavaVM".as_ptr())
    };
    assert!(!create.is_null());
    // SAFETY: the invocation API gives the function this signature.
    let create = unsafe { transmute::<*mut c_void, CreateJavaVm>(create) };
    let mut arguments = JavaVMInitArgs {
        version: JNI_VERSION_1_8,
        nOptions: 0,
        options: null_mut(),
        ignoreUnrecognized: false,
    };
    let (mut vm, mut env) = (null_mut(), null_mut());
    // SAFETY: all three pointers are to live variables of the types that it wants, and no JVM was made in this process.
    let code = unsafe { create(&raw mut vm, &raw mut env, (&raw mut arguments).cast()) };
    assert_eq!(code, JNI_OK);
    // SAFETY: it is the JVM that was just made, of a version above 1.4.
    unsafe { JavaVM::from_raw(vm) }
}

fn asks(vm: &JavaVM, thread: &Global<JObject<'static>>, question: &str) -> bool {
    let question = jni::strings::JNIString::from(question);
    let answer = |env: &mut jni::Env<'_>| env.call_method(thread, &question, jni_sig!("()Z"), &[])?.z();
    vm.with_local_frame(8, answer).unwrap()
}

/// What the JVM calls a thread.
fn called(vm: &JavaVM, thread: &Global<JObject<'static>>) -> String {
    let name = |env: &mut jni::Env<'_>| -> Result<String> {
        let name =
            env.call_method(thread, jni_str!("getName"), jni_sig!("()Ljava/lang/String;"), &[])?.l()?;
        env.cast_local::<JString>(name)?.try_to_string(env)
    };
    vm.with_local_frame(8, name).unwrap()
}

/// The `java.lang.Thread` of the calling thread.
fn current(vm: &JavaVM) -> Global<JObject<'static>> {
    let class = jni_str!("java/lang/Thread");
    let current = |env: &mut jni::Env<'_>| -> Result<Global<JObject<'static>>> {
        let thread =
            env.call_static_method(class, jni_str!("currentThread"), jni_sig!("()Ljava/lang/Thread;"), &[])?;
        let thread = thread.l()?;
        env.new_global_ref(thread)
    };
    vm.with_local_frame(8, current).unwrap()
}

#[test]
fn a_thread_of_rust_is_a_daemon_until_it_ends() {
    let vm = start(library().expect("a JDK in JAVA_HOME or behind the java of the PATH"));
    assert!(vm.is_thread_attached().unwrap(), "the one that made it");
    attach(&vm).unwrap();
    assert!(!asks(&vm, &current(&vm), "isDaemon"), "it was attached before");
    let thread = std::thread::scope(|scope| {
        let of_rust = || {
            assert!(!vm.is_thread_attached().unwrap());
            attach(&vm).unwrap();
            attach(&vm).unwrap();
            let thread = current(&vm);
            assert!(asks(&vm, &thread, "isDaemon") && asks(&vm, &thread, "isAlive"));
            assert_eq!(called(&vm, &thread), "grampus-a worker");
            thread
        };
        // Its end is waited for with its locals.
        std::thread::Builder::new()
            .name("a worker".into())
            .spawn_scoped(scope, of_rust)
            .unwrap()
            .join()
            .unwrap()
    });
    assert!(!asks(&vm, &thread, "isAlive"), "it has left");
}
