//! The mutation batch.

use grampus_store::read::read_range;
use std::ops::Range;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::cell_codec::{self, WireCell};
use grampus_cells::{ByteReader, TimeRange};
use grampus_filter::CompareOp;

/// One operation of a batch.
pub struct Op<'a> {
    /// The durability's code, 0 for the table's.
    pub durability: u8,
    /// Increment and append: write the new cells to the output.
    pub return_result: bool,
    /// What to do.
    pub body: OpBody<'a>,
}

/// What an operation does; cells are ranges of [`Batch::cells`].
pub enum OpBody<'a> {
    /// Cells of one row.
    Put(Range<usize>),
    /// Delete markers of one row.
    Delete(Range<usize>),
    /// Adds to 8-byte values.
    Increment(ReadModifyWrite),
    /// Appends to values.
    Append(ReadModifyWrite),
    /// Operations on one row, all or nothing.
    AtomicRow {
        /// The row.
        row: &'a [u8],
        /// Kinds 1 to 4.
        ops: Vec<Op<'a>>,
    },
    /// Operations on one row if a condition holds.
    Check {
        /// The row.
        row: &'a [u8],
        /// What must hold.
        condition: Condition<'a>,
        /// Kinds 1 to 4.
        ops: Vec<Op<'a>>,
    },
    /// Operations on several rows, all or nothing, if all conditions hold.
    MultiRow {
        /// Rows and what must hold for them.
        conditions: Vec<(&'a [u8], Condition<'a>)>,
        /// Kinds 1 to 4.
        ops: Vec<Op<'a>>,
    },
}

/// An increment or append.
pub struct ReadModifyWrite {
    /// 0 = none.
    pub nonce: u64,
    /// Which current cell is seen.
    pub range: TimeRange,
    /// Time to live of the new cells in milliseconds, `i64::MAX` = none.
    pub ttl_millis: i64,
    /// Deltas or suffixes.
    pub cells: Range<usize>,
}

/// A condition on the current state of a row.
pub enum Condition<'a> {
    /// The newest cell of a column compared with a value.
    Column {
        /// Family name.
        family: &'a [u8],
        /// Qualifier.
        qualifier: &'a [u8],
        /// `given OP stored`.
        op: CompareOp,
        /// The given value; empty also means "missing".
        value: &'a [u8],
        /// Which cells are seen.
        range: TimeRange,
    },
    /// Any cell of the row passes a filter.
    Filter {
        /// The encoded filter.
        filter: &'a [u8],
        /// Which cells are seen.
        range: TimeRange,
    },
    /// A column is missing, or its newest cell has an empty value.
    Empty {
        /// Family name.
        family: &'a [u8],
        /// Qualifier.
        qualifier: &'a [u8],
        /// Which cells are seen.
        range: TimeRange,
    },
    /// The newest cell of a column compared by a comparator; a missing one meets no operator.
    Compared {
        /// Family name.
        family: &'a [u8],
        /// Qualifier.
        qualifier: &'a [u8],
        /// `comparator OP stored`.
        op: CompareOp,
        /// The encoded comparator.
        comparator: &'a [u8],
        /// Which cells are seen.
        range: TimeRange,
    },
}

impl<'a> Condition<'a> {
    /// Family and qualifier of the column that it looks at, `None` when it looks at all.
    pub fn column(&self) -> Option<(&'a [u8], &'a [u8])> {
        match *self {
            Condition::Column { family, qualifier, .. }
            | Condition::Empty { family, qualifier, .. }
            | Condition::Compared { family, qualifier, .. } => Some((family, qualifier)),
            Condition::Filter { .. } => None,
        }
    }

    /// Which cells are seen.
    pub fn range(&self) -> TimeRange {
        match *self {
            Condition::Column { range, .. }
            | Condition::Filter { range, .. }
            | Condition::Empty { range, .. }
            | Condition::Compared { range, .. } => range,
        }
    }
}

/// A decoded batch.
pub struct Batch<'a> {
    /// Run without waiting or not at all.
    pub non_blocking: bool,
    /// An earlier run of the same bytes ended as [`crate::MutateStatus::Wait`] or `WouldBlock`: it is not made to wait again.
    pub admitted: bool,
    /// The cells of answers come with their tags.
    pub with_tags: bool,
    /// Nonce group of all nonces.
    pub nonce_group: u64,
    /// The operations in order.
    pub ops: Vec<Op<'a>>,
    /// The cells of all operations in order.
    pub cells: Vec<WireCell<'a>>,
}

const VERSION: u8 = 1;
const OP_HEADER_BYTES: usize = 8;

/// Flags of a batch.
mod flag {
    pub(super) const NON_BLOCKING: u8 = 1;
    pub(super) const ADMITTED: u8 = 2;
    pub(super) const WITH_TAGS: u8 = 4;
}

/// Kinds of operations; those up to `APPEND` may be within others.
mod kind {
    pub(super) const PUT: u8 = 1;
    pub(super) const DELETE: u8 = 2;
    pub(super) const INCREMENT: u8 = 3;
    pub(super) const APPEND: u8 = 4;
    pub(super) const ATOMIC_ROW: u8 = 5;
    pub(super) const CHECK: u8 = 6;
    pub(super) const MULTI_ROW: u8 = 7;
    pub(super) const MULTI_ROW_CHECK: u8 = 8;
}

/// Flags of an operation.
mod op_flag {
    pub(super) const RETURN_RESULT: u16 = 1;
}

/// Kinds of conditions.
mod condition {
    pub(super) const COLUMN: u8 = 1;
    pub(super) const FILTER: u8 = 2;
    pub(super) const EMPTY: u8 = 3;
    pub(super) const COMPARED: u8 = 4;
}

/// Bytes of a row and its condition at least.
const CONDITION_BYTES_MIN: usize = 22;

fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadRequest, message)
}

impl<'a> Batch<'a> {
    /// Decodes the operations and their cells.
    pub fn decode(ops: &'a [u8], cells: &'a [u8]) -> Result<Batch<'a>> {
        let mut reader = ByteReader::new(ops);
        let version = reader.u8("the batch version")?;
        if version != VERSION {
            return Err(bad(format!("unknown mutation batch version {version}")));
        }
        let flags = reader.u8("the batch flags")?;
        reader.u16("the batch header")?;
        let count = reader.u32("the operation count")? as usize;
        let nonce_group = reader.u64("the nonce group")?;
        if count > reader.remaining() / OP_HEADER_BYTES {
            return Err(bad(format!("{count} operations in {} bytes", reader.remaining())));
        }
        let mut decoder = CellDecoder { rest: cells, cells: Vec::with_capacity(count) };
        let ops = read_ops(&mut reader, count, &mut decoder, Level::Top)?;
        reader.finish("the last operation")?;
        if !decoder.rest.is_empty() {
            return Err(bad(format!("{} bytes of cells belong to no operation", decoder.rest.len())));
        }
        Ok(Batch {
            non_blocking: flags & flag::NON_BLOCKING != 0,
            admitted: flags & flag::ADMITTED != 0,
            with_tags: flags & flag::WITH_TAGS != 0,
            nonce_group,
            ops,
            cells: decoder.cells,
        })
    }
}

struct CellDecoder<'a> {
    rest: &'a [u8],
    cells: Vec<WireCell<'a>>,
}

impl CellDecoder<'_> {
    /// Takes the next `n` cells, which must be of one row.
    fn take(&mut self, n: usize) -> Result<Range<usize>> {
        let start = self.cells.len();
        for _ in 0..n {
            let (cell, used) = cell_codec::read_cell(self.rest)?;
            if let Some(first) = self.cells.get(start)
                && first.cell.row != cell.cell.row
            {
                return Err(bad("the cells of one operation have different rows"));
            }
            self.cells.push(cell);
            self.rest = self.rest.get(used..).unwrap_or_default();
        }
        Ok(start..self.cells.len())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Top,
    Inner,
}

fn read_ops<'a>(
    reader: &mut ByteReader<'a>,
    count: usize,
    cells: &mut CellDecoder<'a>,
    level: Level,
) -> Result<Vec<Op<'a>>> {
    let mut ops = Vec::with_capacity(count);
    for _ in 0..count {
        ops.push(read_op(reader, cells, level)?);
    }
    Ok(ops)
}

fn read_op<'a>(reader: &mut ByteReader<'a>, cells: &mut CellDecoder<'a>, level: Level) -> Result<Op<'a>> {
    let kind = reader.u8("an operation kind")?;
    let durability = reader.u8("a durability")?;
    if durability > 4 {
        return Err(bad(format!("unknown durability {durability}")));
    }
    let flags = reader.u16("operation flags")?;
    let payload_len = reader.u32("a payload length")? as usize;
    let mut payload = ByteReader::new(reader.take(payload_len, "an operation payload")?);
    let last = match level {
        Level::Top => kind::MULTI_ROW_CHECK,
        Level::Inner => kind::APPEND,
    };
    if !(kind::PUT..=last).contains(&kind) {
        return Err(bad(format!("operation kind {kind} is not possible here")));
    }
    let body = read_body(kind, &mut payload, cells)?;
    payload.finish("an operation payload")?;
    Ok(Op { durability, return_result: flags & op_flag::RETURN_RESULT != 0, body })
}

fn read_body<'a>(kind: u8, payload: &mut ByteReader<'a>, cells: &mut CellDecoder<'a>) -> Result<OpBody<'a>> {
    Ok(match kind {
        kind::PUT => OpBody::Put(cells.take(payload.u32("a cell count")? as usize)?),
        kind::DELETE => OpBody::Delete(cells.take(payload.u32("a cell count")? as usize)?),
        kind::INCREMENT => OpBody::Increment(read_rmw(payload, cells)?),
        kind::APPEND => OpBody::Append(read_rmw(payload, cells)?),
        kind::ATOMIC_ROW => {
            let row = payload.bytes("a row")?;
            OpBody::AtomicRow { row, ops: read_inner(payload, cells)? }
        }
        kind::CHECK => {
            let row = payload.bytes("a row")?;
            let condition = read_condition(payload)?;
            OpBody::Check { row, condition, ops: read_inner(payload, cells)? }
        }
        kind::MULTI_ROW => OpBody::MultiRow { conditions: Vec::new(), ops: read_inner(payload, cells)? },
        _ => {
            let conditions = read_conditions(payload)?;
            OpBody::MultiRow { conditions, ops: read_inner(payload, cells)? }
        }
    })
}

fn read_conditions<'a>(payload: &mut ByteReader<'a>) -> Result<Vec<(&'a [u8], Condition<'a>)>> {
    let count = payload.count(CONDITION_BYTES_MIN, "the condition count")?;
    let mut conditions = Vec::with_capacity(count);
    for _ in 0..count {
        let row = payload.bytes("a row")?;
        conditions.push((row, read_condition(payload)?));
    }
    Ok(conditions)
}

fn read_inner<'a>(payload: &mut ByteReader<'a>, cells: &mut CellDecoder<'a>) -> Result<Vec<Op<'a>>> {
    let count = payload.count(OP_HEADER_BYTES, "the operation count")?;
    read_ops(payload, count, cells, Level::Inner)
}

fn read_rmw(payload: &mut ByteReader<'_>, cells: &mut CellDecoder<'_>) -> Result<ReadModifyWrite> {
    let nonce = payload.u64("a nonce")?;
    let range = read_range(payload)?;
    let ttl_millis = payload.i64("a time to live")?;
    let cells = cells.take(payload.u32("a cell count")? as usize)?;
    Ok(ReadModifyWrite { nonce, range, ttl_millis, cells })
}

fn read_condition<'a>(payload: &mut ByteReader<'a>) -> Result<Condition<'a>> {
    let kind = payload.u8("a condition kind")?;
    if kind == condition::FILTER {
        let filter = payload.bytes("a condition's filter")?;
        return Ok(Condition::Filter { filter, range: read_range(payload)? });
    }
    if !(condition::COLUMN..=condition::COMPARED).contains(&kind) {
        return Err(bad(format!("unknown condition kind {kind}")));
    }
    let family = payload.bytes("a condition's family")?;
    let qualifier = payload.bytes("a condition's qualifier")?;
    if kind == condition::EMPTY {
        return Ok(Condition::Empty { family, qualifier, range: read_range(payload)? });
    }
    let op = CompareOp::from_code(payload.u8("a compare operator")?)?;
    let given = payload.bytes("a condition's value or comparator")?;
    let range = read_range(payload)?;
    Ok(if kind == condition::COLUMN {
        Condition::Column { family, qualifier, op, value: given, range }
    } else {
        Condition::Compared { family, qualifier, op, comparator: given, range }
    })
}

#[cfg(test)]
mod tests;
