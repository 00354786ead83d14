//! Operations that were executed, by the opening of a region that they are of.

use std::collections::vec_deque::Iter;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Key;

/// What a queue takes for each operation in it, where it is largest for what it holds: it doubles when it is full, and gives memory back when
/// less than a third of it is used.
pub(super) const DONE_BYTES_MAX: usize = PLACES_PER_DONE * DONE_BYTES;
/// What a queue may take beside that.
pub(super) const QUEUE_BYTES_MAX: usize = QUEUE_BYTES + PLACES_KEPT * DONE_BYTES;

const PLACES_PER_DONE: usize = 3;
/// The capacity below which a queue is not shrunk.
const PLACES_KEPT: usize = 16;
const DONE_BYTES: usize = size_of::<Done>();
/// A queue without its operations, in both trees; their nodes are almost half full at least. Rounded up.
const QUEUE_BYTES: usize = 256;

/// An opening of a region, whose operations these are. Both daughters of a split have those of their parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Owner(pub(super) u32);

/// An operation that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub key: Key,
    pub sequence: u64,
    /// Of the monotonic clock.
    pub at_millis: i64,
}

/// A queue of operations for each owner. The oldest of all is found in logarithmic time, and nothing looks at operations of other owners.
#[derive(Default)]
pub(super) struct Queues {
    /// Oldest first. None is empty.
    queues: BTreeMap<Owner, VecDeque<Done>>,
    /// The time of the oldest operation of each owner.
    oldest: BTreeSet<(i64, Owner)>,
    count: usize,
    /// Operations that the queues have room for.
    places: usize,
}

impl Queues {
    /// Operations in all queues.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        self.places * DONE_BYTES + self.queues.len() * QUEUE_BYTES
    }

    /// Owners that have operations.
    pub(super) fn owners(&self) -> usize {
        self.queues.len()
    }

    /// Time of the oldest operation.
    pub(super) fn oldest_millis(&self) -> Option<i64> {
        self.oldest.first().map(|(at_millis, _)| *at_millis)
    }

    /// Adds the youngest operation of an owner. One that claims to be older, by the clock of another server, is as old as the youngest
    /// before it. Returns its time.
    pub(super) fn push(&mut self, owner: Owner, mut done: Done) -> i64 {
        let queue = self.queues.entry(owner).or_default();
        match queue.back() {
            Some(youngest) => done.at_millis = done.at_millis.max(youngest.at_millis),
            None => {
                self.oldest.insert((done.at_millis, owner));
            }
        }
        self.places -= queue.capacity();
        queue.push_back(done);
        self.places += queue.capacity();
        self.count += 1;
        done.at_millis
    }

    /// Takes the oldest operation out.
    pub(super) fn pop_oldest(&mut self) -> Option<Done> {
        self.oldest.first().map(|(_, owner)| *owner).and_then(|owner| self.pop_of(owner))
    }

    /// Takes the oldest operation of an owner out.
    pub(super) fn pop_of(&mut self, owner: Owner) -> Option<Done> {
        let queue = self.queues.get_mut(&owner)?;
        let done = queue.pop_front()?;
        self.count -= 1;
        self.places -= queue.capacity();
        shrink(queue);
        let next = queue.front().map(|next| next.at_millis);
        if next != Some(done.at_millis) {
            self.oldest.remove(&(done.at_millis, owner));
            self.oldest.extend(next.map(|at_millis| (at_millis, owner)));
        }
        if next.is_some() {
            self.places += queue.capacity();
        } else {
            self.queues.remove(&owner);
        }
        Some(done)
    }

    /// The operations of an owner that are younger than a time, oldest first; of more than `count_max`, the youngest.
    pub(super) fn younger(&self, owner: Owner, than_millis: i64, count_max: usize) -> Option<Iter<'_, Done>> {
        let queue = self.queues.get(&owner)?;
        let first = queue.partition_point(|done| done.at_millis <= than_millis);
        Some(queue.range(first.max(queue.len().saturating_sub(count_max))..))
    }
}

/// Gives memory back when most of it is unused.
fn shrink(queue: &mut VecDeque<Done>) {
    if queue.capacity() > PLACES_KEPT && queue.len() < queue.capacity() / PLACES_PER_DONE {
        queue.shrink_to((queue.len() + queue.len() / 2).max(PLACES_KEPT));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(nonce: u64, at_millis: i64) -> Done {
        Done { key: (1, nonce), sequence: nonce, at_millis }
    }

    /// The account is that of the queues as they are.
    fn check(queues: &Queues) {
        let places: usize = queues.queues.values().map(VecDeque::capacity).sum();
        assert_eq!(queues.places, places);
        assert_eq!(queues.count, queues.queues.values().map(VecDeque::len).sum::<usize>());
        let oldest = queues.queues.iter().map(|(owner, queue)| (queue[0].at_millis, *owner)).collect();
        assert_eq!(queues.oldest, oldest);
        let bytes_max = queues.count * DONE_BYTES_MAX + queues.owners() * QUEUE_BYTES_MAX;
        assert!(queues.bytes() <= bytes_max, "{} of {bytes_max}", queues.bytes());
    }

    #[test]
    fn the_oldest_of_all_go_first_and_the_account_is_exact() {
        let mut queues = Queues::default();
        let mut random = 1u64;
        for nonce in 0..20_000u64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            queues.push(Owner((random >> 60) as u32), done(nonce, nonce as i64));
            if nonce % 97 == 0 {
                check(&queues);
            }
        }
        for nonce in 0..20_000 {
            assert_eq!(queues.oldest_millis(), Some(nonce));
            assert_eq!(queues.pop_oldest(), Some(done(nonce as u64, nonce)));
            if nonce % 97 == 0 {
                check(&queues);
            }
        }
        assert_eq!((queues.pop_oldest(), queues.bytes()), (None, 0));
    }

    #[test]
    fn one_owner_goes_without_the_others() {
        let mut queues = Queues::default();
        (0..100).for_each(|nonce| {
            queues.push(Owner(nonce as u32 % 2), done(nonce, 7));
        });
        for nonce in (0..100).step_by(2) {
            assert_eq!(queues.pop_of(Owner(0)), Some(done(nonce, 7)));
            check(&queues);
        }
        assert_eq!(queues.pop_of(Owner(0)), None);
        assert_eq!((queues.count(), queues.pop_oldest()), (50, Some(done(1, 7))));
    }

    #[test]
    fn what_claims_to_be_older_than_its_owners_last_is_as_old() {
        let mut queues = Queues::default();
        assert_eq!(queues.push(Owner(1), done(1, 10)), 10);
        assert_eq!(queues.push(Owner(2), done(2, 3)), 3);
        assert_eq!(queues.push(Owner(1), done(3, 4)), 10);
        assert_eq!(queues.younger(Owner(1), 9, 10).unwrap().len(), 2);
        assert_eq!(queues.younger(Owner(1), 10, 10).unwrap().len(), 0);
        assert_eq!(queues.younger(Owner(1), 9, 1).unwrap().next().unwrap().key, (1, 3));
        assert!(queues.younger(Owner(3), 0, 1).is_none());
    }
}
