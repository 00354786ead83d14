//! Writing memtables out as column files.
