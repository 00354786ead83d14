//! Whether a server may still write: a `BooleanSupplier` that is asked in the middle of a call.

use grampus_base::{Error, ErrorKind, Result};
use jni::ids::JMethodID;
use jni::objects::{Global, JObject};
use jni::signature::{Primitive, ReturnType};
use jni::{jni_sig, jni_str};

use crate::boundary::BridgeResult;
use crate::upcalls::Upcaller;

/// Asked on the thread of the call that brought it, under the locks of that call.
pub(crate) struct JavaFence {
    fence: Global<JObject<'static>>,
    is_open: JMethodID,
    java: Upcaller,
}

impl JavaFence {
    pub(crate) fn new(env: &mut jni::Env<'_>, fence: &JObject<'_>) -> BridgeResult<JavaFence> {
        if fence.is_null() {
            return Err(Error::new(ErrorKind::BadRequest, "a load needs to know whether it may write").into());
        }
        Ok(JavaFence {
            fence: env.new_global_ref(fence)?,
            is_open: env.get_method_id(
                jni_str!("java/util/function/BooleanSupplier"),
                jni_str!("getAsBoolean"),
                jni_sig!("()Z"),
            )?,
            java: Upcaller::new(env, "the fence of a load")?,
        })
    }

    /// # Errors
    /// `NotServing` when the server may write no more, `Io` with what the fence has thrown.
    pub(crate) fn check(&self) -> Result<()> {
        let answer = self.java.run(|env| {
            let boolean = ReturnType::Primitive(Primitive::Boolean);
            // SAFETY: the method is `BooleanSupplier.getAsBoolean`, of this signature, and the object is a BooleanSupplier.
            Ok(unsafe { env.call_method_unchecked(&self.fence, self.is_open, boolean, &[])? }.z()?)
        });
        match answer {
            Ok(true) => Ok(()),
            Ok(false) => {
                let message =
                    "this server has lost touch with its cluster, and its regions may be elsewhere by now";
                Err(Error::new(ErrorKind::NotServing, message))
            }
            Err(e) => Err(Error::new(ErrorKind::Io, format!("whether a load may go on is not known: {e}"))),
        }
    }
}
