//! Threads that are not Java's: each becomes a daemon of the JVM before its first upcall, so that it holds up no exit, and leaves when it ends.

use std::cell::RefCell;
use std::ffi::CString;
use std::ptr::null_mut;

use jni::JavaVM;
use jni::errors::{Error, JniError, Result};
use jni::sys::{JNI_VERSION_1_8, JavaVMAttachArgs};

thread_local! {
    /// Only of a thread that this module has attached.
    static ATTACHED: RefCell<Option<Attached>> = const { RefCell::new(None) };
}

/// Leaves the JVM with the thread.
struct Attached(JavaVM);

impl Drop for Attached {
    fn drop(&mut self) {
        let vm = self.0.get_raw();
        // SAFETY: the JVM is that of a live `JavaVM`, and no frame of Java is left on a thread whose locals are dropped. The code that it
        // answers says that the thread is detached already, or that it cannot be: either way the thread ends.
        unsafe { ((**vm).v1_2.DetachCurrentThread)(vm) };
    }
}

/// Makes upcalls possible on this thread, for as long as it lives.
pub(crate) fn attach(vm: &JavaVM) -> Result<()> {
    if vm.is_thread_attached()? {
        return Ok(());
    }
    // A thread that ends drops its locals one after the other: behind this one no destructor would detach it.
    let ends = || Error::JniCall(JniError::ThreadDetached);
    ATTACHED.try_with(|attached| attached.replace(None)).map_err(|_| ends()).map(drop)?;
    let (raw, mut env) = (vm.get_raw(), null_mut());
    let name = name();
    let mut named =
        JavaVMAttachArgs { version: JNI_VERSION_1_8, name: name.as_ptr().cast_mut(), group: null_mut() };
    let named = (&raw mut named).cast();
    // SAFETY: the JVM is that of a live `JavaVM`, `env` takes a pointer, and the name lives as long as the call, which copies it.
    let code = unsafe { ((**raw).v1_4.AttachCurrentThreadAsDaemon)(raw, &raw mut env, named) };
    if code != jni::sys::JNI_OK {
        return Err(Error::JniCall(JniError::Other(code)));
    }
    ATTACHED.try_with(|attached| attached.replace(Some(Attached(vm.clone())))).map_err(|_| ends()).map(drop)
}

/// What a stack dump and a profile of the JVM call this thread: as Rust does, with a prefix that says whose it is.
fn name() -> CString {
    let name = format!("grampus-{}", std::thread::current().name().unwrap_or("native"));
    CString::new(name).unwrap_or_else(|_| c"grampus-native".into())
}

#[cfg(test)]
mod tests;
