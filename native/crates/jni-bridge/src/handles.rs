//! Handles are table slots with a generation: `slot | generation << 32`. A stale handle is an error, never a wild pointer.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind, narrow};
use jni::EnvUnowned;
use parking_lot::RwLock;

use crate::boundary::export;

/// A table of live objects of one type.
pub(crate) struct HandleTable<T> {
    slots: RwLock<Slots<T>>,
    noun: &'static str,
}

struct Slots<T> {
    all: Vec<Slot<T>>,
    /// Those without a value, the one that was freed last at the end.
    free: Vec<u32>,
}

struct Slot<T> {
    generation: u32,
    value: Option<Arc<T>>,
}

impl<T> HandleTable<T> {
    pub(crate) const fn new(noun: &'static str) -> HandleTable<T> {
        HandleTable { slots: RwLock::new(Slots { all: Vec::new(), free: Vec::new() }), noun }
    }

    /// What its objects are called in errors.
    pub(crate) fn noun(&self) -> &'static str {
        self.noun
    }

    /// Stores a value and returns its handle, never 0.
    pub(crate) fn insert(&self, value: Arc<T>) -> i64 {
        let mut slots = self.slots.write();
        let index = match slots.free.pop() {
            Some(index) => index,
            None => {
                slots.all.push(Slot { generation: 0, value: None });
                narrow::to_u32(slots.all.len() - 1)
            }
        };
        let slot = &mut slots.all[index as usize];
        // Generation 0 never lives, so no handle is 0 and a zeroed field on the Java side names nothing.
        slot.generation = (slot.generation % i32::MAX as u32) + 1;
        slot.value = Some(value);
        i64::from(slot.generation) << 32 | i64::from(index)
    }

    /// The live object of a handle.
    pub(crate) fn get(&self, handle: i64) -> Result<Arc<T>, Error> {
        let (index, generation) = split(handle);
        self.slots
            .read()
            .all
            .get(index as usize)
            .filter(|slot| slot.generation == generation)
            .and_then(|slot| slot.value.clone())
            .ok_or_else(|| self.stale(handle))
    }

    /// Ends a handle and returns its object.
    pub(crate) fn remove(&self, handle: i64) -> Result<Arc<T>, Error> {
        let (index, generation) = split(handle);
        let mut slots = self.slots.write();
        let slot = slots.all.get_mut(index as usize).filter(|slot| slot.generation == generation);
        let value = slot.and_then(|slot| slot.value.take()).ok_or_else(|| self.stale(handle))?;
        slots.free.push(index);
        Ok(value)
    }

    /// The `close0` of a class whose object ends with its handle.
    pub(crate) fn close(&self, env: EnvUnowned<'_>, handle: i64) {
        export(env, |_| Ok(self.remove(handle).map(drop)?));
    }

    fn stale(&self, handle: i64) -> Error {
        Error::new(ErrorKind::NotServing, format!("{} handle {handle:#x} is closed", self.noun))
    }
}

fn split(handle: i64) -> (u32, u32) {
    let bits = handle.cast_unsigned();
    (narrow::low_u32(bits), narrow::low_u32(bits >> 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_slots_are_used_again_and_no_handle_is_given_twice() {
        let table = HandleTable::new("test");
        let mut given = std::collections::HashSet::new();
        for round in 0..10 {
            let handles: Vec<i64> = (0..1000).map(|n| table.insert(Arc::new(n))).collect();
            assert!(handles.iter().all(|handle| given.insert(*handle)), "round {round}");
            handles.iter().for_each(|handle| drop(table.remove(*handle).unwrap()));
        }
        let slots = table.slots.read();
        assert_eq!((slots.all.len(), slots.free.len()), (1000, 1000));
    }

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
