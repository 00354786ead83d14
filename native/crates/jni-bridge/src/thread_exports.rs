//! `org.grampus.engine.NativeThreads`.

use jni::EnvUnowned;
use jni::objects::JClass;
use jni::sys::{jboolean, jint};

use crate::boundary::export;

/// `boolean setNiceness0(int thread, int niceness)`: thread 0 is the calling one. Linux alone has a niceness for each thread; elsewhere
/// the call would be about the whole process, and is not made.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_grampus_engine_NativeThreads_setNiceness0<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    thread: jint,
    niceness: jint,
) -> jboolean {
    export(env, |_| Ok(set_niceness(thread, niceness)))
}

#[cfg(target_os = "linux")]
fn set_niceness(thread: jint, niceness: jint) -> bool {
    libc::id_t::try_from(thread)
        .is_ok_and(|thread| linux::set_attributes(thread, niceness) || linux::set_priority(thread, niceness))
}

#[cfg(not(target_os = "linux"))]
fn set_niceness(_thread: jint, _niceness: jint) -> bool {
    false
}

#[cfg(target_os = "linux")]
mod linux {
    /// `struct sched_attr` of `sched_setattr(2)`.
    #[repr(C)]
    struct SchedulerAttributes {
        size: u32,
        policy: u32,
        flags: u64,
        niceness: i32,
        priority: u32,
        runtime_nanos: u64,
        deadline_nanos: u64,
        period_nanos: u64,
    }

    const ATTRIBUTES_BYTES: u32 = 48;
    const _: () = assert!(size_of::<SchedulerAttributes>() == ATTRIBUTES_BYTES as usize);

    const KEEP_POLICY: u64 = 0x08;

    /// The slice of a thread that gives way. Since Linux 6.6 a thread runs to the end of its slice whatever its niceness, unless one with a
    /// shorter slice wakes up; the usual slice is 3 ms, this one has to be longer.
    const SLICE_NANOS: u64 = 20_000_000;

    /// Niceness and slice; kernels before 6.12 take the former only.
    pub(super) fn set_attributes(thread: libc::id_t, niceness: i32) -> bool {
        let attributes = SchedulerAttributes {
            size: ATTRIBUTES_BYTES,
            policy: 0,
            flags: KEEP_POLICY,
            niceness,
            priority: 0,
            runtime_nanos: SLICE_NANOS,
            deadline_nanos: 0,
            period_nanos: 0,
        };
        // SAFETY: the kernel reads `size` bytes of `attributes`, which is laid out as its own struct and lives during the call.
        unsafe { libc::syscall(libc::SYS_sched_setattr, thread, &raw const attributes, 0) == 0 }
    }

    /// Niceness alone, where the other call is not permitted.
    pub(super) fn set_priority(thread: libc::id_t, niceness: i32) -> bool {
        // SAFETY: setpriority takes numbers only and touches no memory of ours; an unknown thread is an error that it returns.
        unsafe { libc::setpriority(libc::PRIO_PROCESS, thread, niceness) == 0 }
    }
}
