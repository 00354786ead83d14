//! Handles are table slots with a generation: `slot | generation << 32`. A stale handle is an error, never a wild pointer.

use std::sync::Arc;

use grampus_engine::{Error, ErrorKind};
use parking_lot::RwLock;

/// A table of live objects of one type.
pub(crate) struct HandleTable<T> {
    slots: RwLock<Vec<Slot<T>>>,
    noun: &'static str,
}

struct Slot<T> {
    generation: u32,
    value: Option<Arc<T>>,
}

impl<T> HandleTable<T> {
    pub(crate) const fn new(noun: &'static str) -> HandleTable<T> {
        HandleTable { slots: RwLock::new(Vec::new()), noun }
    }

    /// Stores a value and returns its handle, never 0.
    pub(crate) fn insert(&self, value: Arc<T>) -> i64 {
        let mut slots = self.slots.write();
        let index = slots.iter().position(|slot| slot.value.is_none()).unwrap_or(slots.len());
        if index == slots.len() {
            slots.push(Slot { generation: 0, value: None });
        }
        let slot = &mut slots[index];
        // Generation 0 never lives, so no handle is 0 and a zeroed field on the Java side names nothing.
        slot.generation = (slot.generation % i32::MAX as u32) + 1;
        slot.value = Some(value);
        i64::from(slot.generation) << 32 | index as i64
    }

    /// The live object of a handle.
    pub(crate) fn get(&self, handle: i64) -> Result<Arc<T>, Error> {
        let (index, generation) = split(handle);
        self.slots
            .read()
            .get(index)
            .filter(|slot| slot.generation == generation)
            .and_then(|slot| slot.value.clone())
            .ok_or_else(|| self.stale(handle))
    }

    /// Ends a handle and returns its object.
    pub(crate) fn remove(&self, handle: i64) -> Result<Arc<T>, Error> {
        let (index, generation) = split(handle);
        self.slots
            .write()
            .get_mut(index)
            .filter(|slot| slot.generation == generation)
            .and_then(|slot| slot.value.take())
            .ok_or_else(|| self.stale(handle))
    }

    fn stale(&self, handle: i64) -> Error {
        Error::new(ErrorKind::NotServing, format!("{} handle {handle:#x} is closed", self.noun))
    }
}

fn split(handle: i64) -> (usize, u32) {
    ((handle & 0xffff_ffff) as usize, (handle >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_handle_is_refused_even_when_its_slot_lives_again() {
        let table = HandleTable::new("test");
        let first = table.insert(Arc::new(1));
        assert_eq!(*table.remove(first).unwrap(), 1);
        let second = table.insert(Arc::new(2));
        assert_ne!(first, second);
        assert!(table.get(first).is_err());
        assert!(table.remove(first).is_err());
        assert_eq!(*table.get(second).unwrap(), 2);
        assert!(table.get(0).is_err());
    }
}
