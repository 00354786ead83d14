//! Encoders of requests and decoders of replies, written from `docs/jni.md` and not from the engine's code.

use std::collections::BTreeMap;

/// A cell as it crosses the boundary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Row.
    pub row: Vec<u8>,
    /// Family.
    pub family: Vec<u8>,
    /// Qualifier.
    pub qualifier: Vec<u8>,
    /// Timestamp.
    pub timestamp: i64,
    /// KeyValue type code.
    pub code: u8,
    /// Value.
    pub value: Vec<u8>,
    /// Tags.
    pub tags: Vec<u8>,
}

impl Cell {
    /// A put.
    pub fn put(row: &str, family: &str, qualifier: &str, timestamp: i64, value: impl AsRef<[u8]>) -> Cell {
        Cell::new(row, family, qualifier, timestamp, 4, value)
    }

    /// A cell of any type.
    pub fn new(
        row: &str,
        family: &str,
        qualifier: &str,
        timestamp: i64,
        code: u8,
        value: impl AsRef<[u8]>,
    ) -> Cell {
        Cell {
            row: row.into(),
            family: family.into(),
            qualifier: qualifier.into(),
            timestamp,
            code,
            value: value.as_ref().to_vec(),
            tags: Vec::new(),
        }
    }

    /// With a TTL tag.
    pub fn ttl(mut self, ttl_millis: i64) -> Cell {
        self.tags = [&[0, 9, 8][..], &ttl_millis.to_be_bytes()].concat();
        self
    }

    /// KeyValue with its length.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let mut key = Vec::new();
        key.extend((self.row.len() as u16).to_be_bytes());
        key.extend(&self.row);
        key.push(self.family.len() as u8);
        key.extend(&self.family);
        key.extend(&self.qualifier);
        key.extend(self.timestamp.to_be_bytes());
        key.push(self.code);
        let mut body = Vec::new();
        body.extend((key.len() as u32).to_be_bytes());
        body.extend((self.value.len() as u32).to_be_bytes());
        body.extend(key);
        body.extend(&self.value);
        if !self.tags.is_empty() {
            body.extend((self.tags.len() as u16).to_be_bytes());
            body.extend(&self.tags);
        }
        out.extend((body.len() as u32).to_be_bytes());
        out.extend(body);
    }

    /// All cells of a block.
    pub fn decode_all(mut block: &[u8]) -> Vec<Cell> {
        let u32_at =
            |b: &[u8], at: usize| u32::from_be_bytes(b[at..at + 4].try_into().unwrap_or_default()) as usize;
        let mut cells = Vec::new();
        while !block.is_empty() {
            let length = u32_at(block, 0);
            let body = &block[4..4 + length];
            let (key_len, value_len) = (u32_at(body, 0), u32_at(body, 4));
            let key = &body[8..8 + key_len];
            let value = &body[8 + key_len..8 + key_len + value_len];
            let row_len = u16::from_be_bytes([key[0], key[1]]) as usize;
            let family_len = key[2 + row_len] as usize;
            let family_at = 3 + row_len;
            let tail = key_len - 9;
            cells.push(Cell {
                row: key[2..2 + row_len].to_vec(),
                family: key[family_at..family_at + family_len].to_vec(),
                qualifier: key[family_at + family_len..tail].to_vec(),
                timestamp: i64::from_be_bytes(key[tail..tail + 8].try_into().unwrap_or_default()),
                code: key[key_len - 1],
                value: value.to_vec(),
                tags: body.get(10 + key_len + value_len..).unwrap_or_default().to_vec(),
            });
            block = &block[4 + length..];
        }
        cells
    }
}

/// `u32 length | bytes`.
pub fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
}

/// A mutation batch under construction.
#[derive(Default)]
pub struct Batch {
    /// NON_BLOCKING.
    pub non_blocking: bool,
    /// ADMITTED.
    pub admitted: bool,
    /// WITH_TAGS.
    pub with_tags: bool,
    /// Nonce group.
    pub nonce_group: u64,
    ops: Vec<u8>,
    count: u32,
    /// Cells of all operations.
    pub cells: Vec<u8>,
}

/// The time to live of an increment or append that has none.
const NO_TTL: i64 = i64::MAX;

/// An operation of kinds 1 to 4, encoded.
pub struct RowOp {
    bytes: Vec<u8>,
    cells: Vec<u8>,
}

fn op(kind: u8, durability: u8, flags: u16, payload: &[u8]) -> Vec<u8> {
    let mut out = vec![kind, durability];
    out.extend(flags.to_le_bytes());
    bytes(&mut out, payload);
    out
}

impl RowOp {
    fn put_or_delete(kind: u8, durability: u8, cells: &[Cell]) -> RowOp {
        let mut block = Vec::new();
        cells.iter().for_each(|cell| cell.encode(&mut block));
        RowOp { bytes: op(kind, durability, 0, &(cells.len() as u32).to_le_bytes()), cells: block }
    }

    /// A put.
    pub fn put(cells: &[Cell]) -> RowOp {
        RowOp::put_or_delete(1, 0, cells)
    }

    /// A put with a durability.
    pub fn put_as(durability: u8, cells: &[Cell]) -> RowOp {
        RowOp::put_or_delete(1, durability, cells)
    }

    /// A delete.
    pub fn delete(cells: &[Cell]) -> RowOp {
        RowOp::put_or_delete(2, 0, cells)
    }

    fn rmw(kind: u8, nonce: u64, ttl_millis: i64, cells: &[Cell]) -> RowOp {
        let mut payload = nonce.to_le_bytes().to_vec();
        payload.extend(0i64.to_le_bytes());
        payload.extend(i64::MAX.to_le_bytes());
        payload.extend(ttl_millis.to_le_bytes());
        payload.extend((cells.len() as u32).to_le_bytes());
        let mut block = Vec::new();
        cells.iter().for_each(|cell| cell.encode(&mut block));
        RowOp { bytes: op(kind, 0, 1, &payload), cells: block }
    }

    /// An increment that returns its result.
    pub fn increment(nonce: u64, cells: &[Cell]) -> RowOp {
        RowOp::rmw(3, nonce, NO_TTL, cells)
    }

    /// An append that returns its result.
    pub fn append(nonce: u64, cells: &[Cell]) -> RowOp {
        RowOp::rmw(4, nonce, NO_TTL, cells)
    }

    /// An increment that returns its result, with a time to live.
    pub fn increment_for(ttl_millis: i64, nonce: u64, cells: &[Cell]) -> RowOp {
        RowOp::rmw(3, nonce, ttl_millis, cells)
    }

    /// An append that returns its result, with a time to live.
    pub fn append_for(ttl_millis: i64, nonce: u64, cells: &[Cell]) -> RowOp {
        RowOp::rmw(4, nonce, ttl_millis, cells)
    }
}

/// A condition on a column.
pub fn column_condition(family: &str, qualifier: &str, compare_op: u8, value: &[u8]) -> Vec<u8> {
    let mut out = vec![1];
    bytes(&mut out, family.as_bytes());
    bytes(&mut out, qualifier.as_bytes());
    out.push(compare_op);
    bytes(&mut out, value);
    out.extend(0i64.to_le_bytes());
    out.extend(i64::MAX.to_le_bytes());
    out
}

impl Batch {
    /// An empty batch.
    pub fn new() -> Batch {
        Batch::default()
    }

    fn push(&mut self, op: Vec<u8>, cells: &[u8]) {
        self.ops.extend(op);
        self.cells.extend(cells);
        self.count += 1;
    }

    /// Adds a put, delete, increment or append.
    pub fn row_op(mut self, op: RowOp) -> Batch {
        self.push(op.bytes, &op.cells);
        self
    }

    /// Adds an all-or-nothing group on one row.
    pub fn atomic(mut self, row: &str, ops: Vec<RowOp>) -> Batch {
        let mut payload = Vec::new();
        bytes(&mut payload, row.as_bytes());
        let cells = inner(&mut payload, ops);
        self.push(op(5, 0, 0, &payload), &cells);
        self
    }

    /// Adds a conditional group on one row.
    pub fn check(mut self, row: &str, condition: &[u8], ops: Vec<RowOp>) -> Batch {
        let mut payload = Vec::new();
        bytes(&mut payload, row.as_bytes());
        payload.extend(condition);
        let cells = inner(&mut payload, ops);
        self.push(op(6, 0, 0, &payload), &cells);
        self
    }

    /// Adds an all-or-nothing group on several rows.
    pub fn multi_row(mut self, ops: Vec<RowOp>) -> Batch {
        let mut payload = Vec::new();
        let cells = inner(&mut payload, ops);
        self.push(op(7, 0, 0, &payload), &cells);
        self
    }

    fn flags(&self) -> u8 {
        u8::from(self.non_blocking) | u8::from(self.admitted) << 1 | u8::from(self.with_tags) << 2
    }

    /// The encoded operations.
    pub fn ops(&self) -> Vec<u8> {
        let mut out = vec![1, self.flags(), 0, 0];
        out.extend(self.count.to_le_bytes());
        out.extend(self.nonce_group.to_le_bytes());
        out.extend(&self.ops);
        out
    }
}

fn inner(payload: &mut Vec<u8>, ops: Vec<RowOp>) -> Vec<u8> {
    payload.extend((ops.len() as u32).to_le_bytes());
    let mut cells = Vec::new();
    for op in ops {
        payload.extend(op.bytes);
        cells.extend(op.cells);
    }
    cells
}

/// The answer to one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Done, no cells.
    Done,
    /// Done with cells.
    Cells(Vec<Cell>),
    /// The condition did not hold.
    NotMatched,
    /// Failed with an error kind and message.
    Failed(u8, String),
}

/// Decodes the output of a batch.
pub fn decode_answers(mut out: &[u8]) -> Vec<Answer> {
    let mut answers = Vec::new();
    while !out.is_empty() {
        let len = u32::from_le_bytes(out[4..8].try_into().unwrap_or_default()) as usize;
        let payload = &out[8..8 + len];
        answers.push(match out[0] {
            0 => Answer::Done,
            1 => Answer::Cells(Cell::decode_all(&payload[4..])),
            2 => Answer::NotMatched,
            _ => Answer::Failed(out[1], String::from_utf8_lossy(payload).into_owned()),
        });
        out = &out[8 + len..];
    }
    answers
}

/// A read spec under construction.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Flags.
    pub flags: u32,
    /// First row.
    pub start: Vec<u8>,
    /// Last row.
    pub stop: Vec<u8>,
    /// Versions.
    pub max_versions: u32,
    /// Cells per store and row.
    pub store_limit: i32,
    /// Cells to skip.
    pub store_offset: i32,
    /// Cells per result.
    pub batch: i32,
    /// Read point.
    pub read_point: u64,
    /// Time range.
    pub range: (i64, i64),
    /// Families with their qualifiers, empty = all.
    pub families: BTreeMap<Vec<u8>, Vec<Vec<u8>>>,
    /// Filter.
    pub filter: Vec<u8>,
}

impl Spec {
    /// A scan of everything.
    pub fn scan() -> Spec {
        Spec {
            flags: 8 | 64,
            start: Vec::new(),
            stop: Vec::new(),
            max_versions: 1,
            store_limit: -1,
            store_offset: 0,
            batch: -1,
            read_point: 0,
            range: (0, i64::MAX),
            families: BTreeMap::new(),
            filter: Vec::new(),
        }
    }

    /// A get of a row.
    pub fn get(row: &str) -> Spec {
        Spec { flags: 8 | 256 | 64 | 128, start: row.into(), stop: row.into(), ..Spec::scan() }
    }

    /// All versions.
    pub fn versions(mut self, n: u32) -> Spec {
        self.max_versions = n;
        self
    }

    /// Sets flags.
    pub fn with(mut self, flags: u32) -> Spec {
        self.flags |= flags;
        self
    }

    /// Adds a column.
    pub fn column(mut self, family: &str, qualifier: &str) -> Spec {
        let qualifiers = self.families.entry(family.into()).or_default();
        qualifiers.push(qualifier.into());
        qualifiers.sort();
        self
    }

    /// Sets a filter.
    pub fn filter(mut self, filter: Vec<u8>) -> Spec {
        self.filter = filter;
        self
    }

    /// The encoded spec.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![1, 0, 0, 0];
        out.extend(self.flags.to_le_bytes());
        bytes(&mut out, &self.start);
        bytes(&mut out, &self.stop);
        out.extend(self.max_versions.to_le_bytes());
        out.extend(self.store_limit.to_le_bytes());
        out.extend(self.store_offset.to_le_bytes());
        out.extend(self.batch.to_le_bytes());
        out.extend(self.read_point.to_le_bytes());
        out.extend(self.range.0.to_le_bytes());
        out.extend(self.range.1.to_le_bytes());
        out.extend((self.families.len() as u32).to_le_bytes());
        for (family, qualifiers) in &self.families {
            bytes(&mut out, family);
            out.push(0);
            out.push(u8::from(qualifiers.is_empty()));
            out.extend((qualifiers.len() as u32).to_le_bytes());
            qualifiers.iter().for_each(|q| bytes(&mut out, q));
        }
        bytes(&mut out, &self.filter);
        out
    }
}

/// The decoded info block of a scanner call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanInfo {
    /// Cells of each result and whether more of its row may follow.
    pub results: Vec<(u32, bool)>,
    /// Bytes of cells.
    pub cell_bytes: u32,
    /// Nothing is left.
    pub end: bool,
    /// The filter wants nothing more.
    pub filter_all_remaining: bool,
    /// Why the call ended.
    pub stop_reason: u8,
    /// Size that the next result needs.
    pub needed: u32,
    /// Rows scanned since the open.
    pub rows_scanned: u64,
    /// Rows filtered since the open.
    pub rows_filtered: u64,
    /// Read point.
    pub read_point: u64,
    /// Complete rows.
    pub complete_rows: u32,
    /// The row looked at last.
    pub last_row: Vec<u8>,
}

impl ScanInfo {
    /// Decodes an info block.
    pub fn decode(info: &[u8]) -> ScanInfo {
        let u32_at = |at: usize| u32::from_le_bytes(info[at..at + 4].try_into().unwrap_or_default());
        let u64_at = |at: usize| u64::from_le_bytes(info[at..at + 8].try_into().unwrap_or_default());
        let count = u32_at(0) as usize;
        let results =
            (0..count).map(|i| u32_at(56 + 4 * i)).map(|n| (n & !(1 << 31), n >> 31 == 1)).collect();
        let row_at = 56 + 4 * count;
        ScanInfo {
            results,
            cell_bytes: u32_at(4),
            end: info[8] == 1,
            filter_all_remaining: info[9] == 1,
            stop_reason: info[10],
            needed: u32_at(12),
            rows_scanned: u64_at(16),
            rows_filtered: u64_at(24),
            read_point: u64_at(40),
            complete_rows: u32_at(48),
            last_row: info[row_at..row_at + u32_at(52) as usize].to_vec(),
        }
    }
}

/// JSON of an `openRegion` request with families given as JSON objects without braces, for example `"maxVersions":3`.
pub fn open_region_json(root: &str, encoded: &str, families: &[(&str, &str)]) -> String {
    let hex = |text: &str| text.bytes().map(|b| format!("{b:02x}")).collect::<String>();
    let families: Vec<String> = families
        .iter()
        .map(|(name, rest)| {
            let rest = if rest.is_empty() { "\"maxVersions\":1".to_string() } else { rest.to_string() };
            format!("{{\"name\":\"{}\",{rest}}}", hex(name))
        })
        .collect();
    format!(
        "{{\"table\":\"t\",\"encodedName\":\"{encoded}\",\"rootDir\":\"{root}\",\
         \"regionDir\":\"{root}/data/default/t/{encoded}\",\"startKey\":\"\",\"endKey\":\"\",\
         \"rowOrder\":\"bytes\",\"durability\":3,\"families\":[{}]}}",
        families.join(",")
    )
}
