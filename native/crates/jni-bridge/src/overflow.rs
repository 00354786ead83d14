//! Outputs that wait for their reader.

use std::collections::HashMap;

use grampus_base::{Error, ErrorKind};
use parking_lot::Mutex;

/// Outputs of mutations that did not fit their buffer, by token, until Java fetches them.
#[derive(Default)]
pub(crate) struct Overflow {
    outputs: Mutex<HashMap<u64, Vec<u8>>>,
}

impl Overflow {
    pub(crate) fn put(&self, token: u64, output: Vec<u8>) {
        self.outputs.lock().insert(token, output);
    }

    /// Moves the output of a token to a buffer; one that does not fit stays. Returns its length. An empty buffer drops the output: no output
    /// is empty, and a caller that finds no memory for one would leave it here for ever.
    pub(crate) fn take(&self, token: u64, target: &mut [u8]) -> Result<usize, Error> {
        let mut outputs = self.outputs.lock();
        let bytes = outputs
            .get(&token)
            .map(Vec::len)
            .ok_or_else(|| Error::new(ErrorKind::Bug, format!("no output is kept for token {token}")))?;
        if target.is_empty() {
            outputs.remove(&token);
            return Ok(0);
        }
        let room = target.len();
        let head = target.get_mut(..bytes).ok_or_else(|| {
            let text = format!("the output of token {token} has {bytes} bytes, the buffer holds {room}");
            Error::new(ErrorKind::Bug, text)
        })?;
        let output = outputs.remove(&token);
        drop(outputs);
        if let Some(output) = output {
            head.copy_from_slice(&output);
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_taken_once_or_dropped() {
        let overflow = Overflow::default();
        overflow.put(1, vec![1, 2, 3]);
        overflow.put(2, vec![4]);
        assert!(overflow.take(1, &mut [0; 2]).is_err());
        let mut target = [0; 4];
        assert_eq!(overflow.take(1, &mut target).unwrap(), 3);
        assert_eq!(target, [1, 2, 3, 0]);
        assert_eq!(overflow.take(2, &mut []).unwrap(), 0);
        assert!(overflow.take(2, &mut target).is_err() && overflow.outputs.lock().is_empty());
    }
}
