//! The block cache: files that are evicted while they are read, and its bytes.

use super::*;

/// A column file in memory.
struct Memory(Vec<u8>);

impl RandomRead for Memory {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> std::io::Result<()> {
        let from = offset as usize;
        thread::yield_now(); // the disk takes its time
        buf.copy_from_slice(&self.0[from..from + buf.len()]);
        Ok(())
    }

    fn name(&self) -> &str {
        "memory"
    }
}

/// A file of several pages and where they are.
fn file() -> (Arc<dyn RandomRead>, Vec<PageAt>) {
    let source: Arc<dyn RandomRead> = Arc::new(Memory(column_file(12).unwrap()));
    let pages = ColumnFile::open(&source).unwrap().pages();
    assert!(pages.len() >= 12);
    (source, pages)
}

fn open(
    source: &Arc<dyn RandomRead>,
    cache: &Arc<BlockCache>,
    name: &str,
    in_memory: bool,
) -> Arc<CachedPages> {
    let rules = CacheRules { data: true, in_memory };
    CachedPages::new(Arc::clone(source), Arc::clone(cache), cache.identify(name), rules, 1024)
}

fn reader(pages: &Arc<CachedPages>, places: &[PageAt]) -> thread::JoinHandle<()> {
    let (pages, places) = (Arc::clone(pages), places.to_vec());
    thread::spawn(move || places.iter().for_each(|at| drop(pages.page(*at, Access::CACHED).unwrap())))
}

#[test]
fn an_evicted_file_leaves_no_page_behind_whoever_still_reads_it() {
    for in_memory in [false, true] {
        let test: fn() = if in_memory { || evict_while_read(true) } else { || evict_while_read(false) };
        explore(test);
    }
}

/// A compaction replaces a file while readers let pages of it in; its output, kept, is read too.
fn evict_while_read(in_memory: bool) {
    let (source, places) = file();
    let cache = Arc::new(BlockCache::new(1 << 20));
    let replaced = open(&source, &cache, "0123456789abcdef0123456789abcdef", in_memory);
    let output = open(&source, &cache, "0123456789abcdef0123456789abcde0", in_memory);
    replaced.keep();
    let readers = [reader(&replaced, &places[..2]), reader(&replaced, &places[1..3])];
    let compaction = {
        let (replaced, output) = (Arc::clone(&replaced), Arc::clone(&output));
        thread::spawn(move || {
            output.keep();
            replaced.evict();
        })
    };
    let late = reader(&output, &places[..2]);
    drop(replaced);
    readers.into_iter().chain([compaction, late]).for_each(|thread| thread.join().unwrap());
    assert_eq!(cache.stats().page_count, 2, "pages of the file that was replaced are left");
    drop(output);
    assert_eq!(cache.stats().page_count, 2, "pages of a file that is kept left with it");
}

#[test]
fn the_cache_stays_within_its_bytes_while_both_parts_fill_and_empty() {
    explore(|| {
        let (source, places) = file();
        let capacity = 14 * 1024; // with two files open fewer than all pages, and two or three in the part of favoured ones
        let cache = Arc::new(BlockCache::new(capacity));
        let favoured = open(&source, &cache, "a", true);
        let others = open(&source, &cache, "b", false);
        let threads = [
            reader(&favoured, &places[..2]),
            reader(&favoured, &places[2..4]),
            {
                let favoured = Arc::clone(&favoured);
                thread::spawn(move || assert!(favoured.clear() <= 4))
            },
            reader(&others, &places),
            {
                let (source, cache) = (Arc::clone(&source), Arc::clone(&cache));
                thread::spawn(move || drop(open(&source, &cache, "c", false)))
            },
        ];
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        places.iter().for_each(|at| drop(others.page(*at, Access::CACHED).unwrap()));
        let stats = cache.stats();
        assert!(stats.used_bytes <= stats.capacity_bytes, "{stats:?}");
        assert!(stats.capacity_bytes <= capacity - 2 * 1024, "{stats:?}");
        drop((favoured, others));
        let stats = cache.stats();
        assert_eq!((stats.page_count, stats.open_file_bytes, stats.capacity_bytes), (0, 0, capacity));
    });
}
