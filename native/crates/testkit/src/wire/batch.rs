//! Mutation batches and the answers to them.

use super::bytes;
use super::cell::Cell;

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

/// Where the flags of an encoded operation begin.
const FLAGS_AT: usize = 2;

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

    /// The same, answered without cells.
    #[must_use]
    pub fn without_result(mut self) -> RowOp {
        self.bytes[FLAGS_AT] = 0;
        self
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
