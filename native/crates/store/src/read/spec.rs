//! The read spec of gets and scans.

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::{ByteReader, TimeRange};

/// What a get or scan wants.
pub struct ReadSpec<'a> {
    /// Flags of `docs/jni.md`.
    pub flags: u32,
    /// First row in the direction of the scan; empty = open.
    pub start_row: &'a [u8],
    /// Last row in the direction of the scan; empty = open.
    pub stop_row: &'a [u8],
    /// Versions of a column to return.
    pub max_versions: u32,
    /// Cells per family and row, -1 = all.
    pub store_limit: i32,
    /// Cells per family and row to skip first.
    pub store_offset: i32,
    /// Cells per result, -1 = the whole row.
    pub batch: i32,
    /// 0 = the engine chooses.
    pub read_point: u64,
    /// Timestamps asked for.
    pub range: TimeRange,
    /// Families asked for; empty = all.
    pub families: Vec<FamilySpec<'a>>,
    /// Encoded filter; empty = none.
    pub filter: &'a [u8],
}

/// What is wanted of one family.
pub struct FamilySpec<'a> {
    /// Family name.
    pub name: &'a [u8],
    /// Overrides the spec's range.
    pub range: Option<TimeRange>,
    /// Sorted qualifiers; `None` = all.
    pub qualifiers: Option<Vec<&'a [u8]>>,
}

impl<'a> ReadSpec<'a> {
    /// Run without waiting or not at all.
    pub const NON_BLOCKING: u32 = 1;
    /// Return markers and hidden cells.
    pub const RAW: u32 = 2;
    /// Read what is not yet durable.
    pub const READ_UNCOMMITTED: u32 = 4;
    /// Let pages enter the cache.
    pub const CACHE_BLOCKS: u32 = 8;
    /// Say only whether there is a cell.
    pub const EXISTENCE_ONLY: u32 = 16;
    /// Rows descend.
    pub const REVERSED: u32 = 32;
    /// The start row belongs to the scan.
    pub const INCLUDE_START: u32 = 64;
    /// The stop row belongs to the scan.
    pub const INCLUDE_STOP: u32 = 128;
    /// One row.
    pub const GET: u32 = 256;
    /// Families that the filter does not need are read only for rows that pass.
    pub const LOAD_ON_DEMAND: u32 = 512;
    /// Fetch nothing that was not asked for yet.
    pub const NO_READ_AHEAD: u32 = 1024;
    /// Cells are returned with their tags.
    pub const WITH_TAGS: u32 = 2048;

    /// Decodes a spec.
    pub fn decode(bytes: &'a [u8]) -> Result<ReadSpec<'a>> {
        let mut reader = ByteReader::new(bytes);
        let version = reader.u8("the spec version")?;
        if version != 1 {
            return Err(Error::new(ErrorKind::BadRequest, format!("unknown read spec version {version}")));
        }
        reader.u8("the spec header")?;
        reader.u16("the spec header")?;
        let flags = reader.u32("the spec flags")?;
        let start_row = reader.bytes("the start row")?;
        let stop_row = reader.bytes("the stop row")?;
        let max_versions = reader.u32("max versions")?;
        let store_limit = reader.i32("the store limit")?;
        let store_offset = reader.i32("the store offset")?;
        let batch = reader.i32("the batch")?;
        let read_point = reader.u64("the read point")?;
        let range = read_range(&mut reader)?;
        let count = reader.count(10, "the family count")?;
        let mut families = Vec::with_capacity(count);
        for _ in 0..count {
            families.push(read_family(&mut reader)?);
        }
        let filter = reader.bytes("the filter")?;
        reader.finish("the read spec")?;
        Ok(ReadSpec {
            flags,
            start_row,
            stop_row,
            max_versions,
            store_limit,
            store_offset,
            batch,
            read_point,
            range,
            families,
            filter,
        })
    }

    /// Refuses a scan that HBase refuses: a raw one of columns by name.
    pub fn check_scan(&self) -> Result<()> {
        if self.has(ReadSpec::RAW) && self.families.iter().any(|family| family.qualifiers.is_some()) {
            return Err(Error::new(ErrorKind::BadRequest, "Cannot specify any column for a raw scan"));
        }
        Ok(())
    }

    /// Whether a flag is set.
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}

fn read_family<'a>(reader: &mut ByteReader<'a>) -> Result<FamilySpec<'a>> {
    let name = reader.bytes("a family name")?;
    let range = if reader.flag("has_range")? { Some(read_range(reader)?) } else { None };
    let all = reader.flag("all_qualifiers")?;
    let count = reader.count(4, "the qualifier count")?;
    let mut qualifiers: Vec<&[u8]> = Vec::with_capacity(count);
    for _ in 0..count {
        let qualifier = reader.bytes("a qualifier")?;
        if qualifiers.last().is_some_and(|last| *last >= qualifier) {
            return Err(Error::new(ErrorKind::BadRequest, "the qualifiers are not sorted and unique"));
        }
        qualifiers.push(qualifier);
    }
    Ok(FamilySpec { name, range, qualifiers: (!all && count > 0).then_some(qualifiers) })
}

/// A time range: `i64 from | i64 to`.
pub fn read_range(payload: &mut ByteReader<'_>) -> Result<TimeRange> {
    let from = payload.i64("a time range")?;
    let to = payload.i64("a time range")?;
    if to < from {
        let message = format!("the time range ends at {to}, before its start {from}");
        return Err(Error::new(ErrorKind::BadRequest, message));
    }
    Ok(TimeRange { from, to })
}

#[cfg(test)]
mod tests {
    use grampus_base::from_hex;

    use super::*;

    /// The file that Java's side is compared with, too.
    const GOLDEN: &str = include_str!("../../../../testdata/boundary/read_spec.txt");

    fn example() -> Vec<u8> {
        let line = GOLDEN.lines().find_map(|line| line.strip_prefix("example ")).unwrap();
        from_hex(line, "the example").unwrap()
    }

    #[test]
    fn the_flags_are_those_of_the_golden_file() {
        let flags = [
            ("non_blocking", ReadSpec::NON_BLOCKING),
            ("raw", ReadSpec::RAW),
            ("read_uncommitted", ReadSpec::READ_UNCOMMITTED),
            ("cache_blocks", ReadSpec::CACHE_BLOCKS),
            ("existence_only", ReadSpec::EXISTENCE_ONLY),
            ("reversed", ReadSpec::REVERSED),
            ("include_start", ReadSpec::INCLUDE_START),
            ("include_stop", ReadSpec::INCLUDE_STOP),
            ("get", ReadSpec::GET),
            ("load_on_demand", ReadSpec::LOAD_ON_DEMAND),
            ("no_read_ahead", ReadSpec::NO_READ_AHEAD),
            ("with_tags", ReadSpec::WITH_TAGS),
        ];
        let ours = flags.map(|(name, flag)| format!("flag.{name} {flag}"));
        let theirs: Vec<&str> = GOLDEN.lines().filter(|line| !line.starts_with("example")).collect();
        assert_eq!(theirs, ours);
    }

    #[test]
    fn the_example_that_java_writes_is_read() {
        let bytes = example();
        let spec = ReadSpec::decode(&bytes).unwrap();
        let flags = ReadSpec::INCLUDE_START | ReadSpec::INCLUDE_STOP | ReadSpec::LOAD_ON_DEMAND;
        assert_eq!((spec.flags, spec.start_row, spec.stop_row), (flags, &b"a"[..], &b"m"[..]));
        assert_eq!((spec.max_versions, spec.store_limit, spec.store_offset, spec.batch), (3, 5, 1, -1));
        assert_eq!((spec.read_point, spec.range.from, spec.range.to), (0, 10, 20));
        let [f, g] = &spec.families[..] else { panic!("two families") };
        let range = f.range.as_ref().map(|range| (range.from, range.to));
        assert_eq!(
            (f.name, range, f.qualifiers.as_deref()),
            (&b"f"[..], Some((11, 19)), Some(&[&b"p"[..], b"q"][..]))
        );
        assert!(g.name == b"g" && g.range.is_none() && g.qualifiers.is_none());
        assert_eq!(spec.filter, b"\x09\x01\0\0\0a");
        for len in 0..bytes.len() {
            assert!(ReadSpec::decode(&bytes[..len]).is_err(), "{len} bytes");
        }
    }
}
