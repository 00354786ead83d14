//! Conditions, and the cells that an operation reads before it writes.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::{CellRef, TimeRange, WireCell, cell_codec};
use grampus_filter::{CompareOp, Comparison, Filter};
use grampus_store::read::{BoundedSink, CellSink, FamilyRead, ReadPlan};

use super::super::Region;
use super::super::reading::read_row;
use super::{Atomic, CONDITION_BYTES_MAX, CURRENT_BYTES_MAX};
use crate::request::Condition;

/// What was decoded of a condition before its row is locked.
pub(super) enum DecodedCondition {
    /// Nothing: the condition has its value itself.
    Value,
    /// Its filter.
    Filter(Option<Box<dyn Filter>>),
    /// Its comparator.
    Comparison(Comparison),
}

impl Region {
    /// Decodes the filters and comparators of an operation's conditions, in their order. Before its rows are locked: to compile a pattern
    /// may take a second.
    pub(super) fn decode_conditions(
        &self,
        atomic: &Atomic<'_, '_>,
        may_block: bool,
    ) -> Result<Vec<DecodedCondition>> {
        let decode = |condition: &Condition<'_>| {
            let patterns = self.pattern_context(may_block);
            Ok(match condition {
                Condition::Column { .. } | Condition::Empty { .. } => DecodedCondition::Value,
                Condition::Filter { filter, .. } => {
                    DecodedCondition::Filter(grampus_filter::decode(filter, false, &patterns)?)
                }
                Condition::Compared { op, comparator, .. } => {
                    DecodedCondition::Comparison(Comparison::decode(*op, comparator, &patterns)?)
                }
            })
        };
        atomic.conditions.iter().map(|(_, condition)| decode(condition)).collect()
    }

    /// The timestamp that no put of the operation may fall behind, `None` when a condition does not hold.
    pub(super) fn check_conditions(
        &self,
        atomic: &Atomic<'_, '_>,
        tests: Vec<DecodedCondition>,
        may_block: bool,
        now: i64,
    ) -> Result<Option<i64>> {
        let mut latest = i64::MIN;
        for ((row, condition), test) in atomic.conditions.iter().zip(tests) {
            let plan = ReadPlan::of_row(row, u64::MAX, may_block, now);
            match self.check_condition(row, condition, test, plan)? {
                Some(stamp) if !atomic.multi_row => latest = latest.max(stamp),
                Some(_) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(latest))
    }

    /// Whether a condition holds, with the timestamp of the compared cell (0 when there was none).
    fn check_condition(
        &self,
        row: &[u8],
        condition: &Condition<'_>,
        test: DecodedCondition,
        plan: ReadPlan<'_>,
    ) -> Result<Option<i64>> {
        let (filter, comparison) = match test {
            DecodedCondition::Value => (None, None),
            DecodedCondition::Filter(filter) => (filter, None),
            DecodedCondition::Comparison(comparison) => (None, Some(comparison)),
        };
        let mut scan = self.row_scan(&self.condition_reads(condition)?, plan.filtered(filter))?;
        // Only the first cell counts; the others are needed where a filter takes cells out at the row's end.
        let kept = if scan.has_filter_row_cells() { CONDITION_BYTES_MAX } else { 0 };
        let mut sink = BoundedSink::new(kept);
        let count = read_row(&mut scan, &mut sink, false)?;
        if scan.has_filter_row_cells() && !sink.is_whole() {
            return Err(condition_too_big(row));
        }
        let found = if count > 0 { Some(cell_codec::read_cell(&sink.cells)?.0.cell) } else { None };
        let holds = match (condition, comparison, found) {
            (Condition::Column { op, value, .. }, _, _) => column_holds(*op, value, found),
            (Condition::Empty { .. }, _, _) => found.is_none_or(|cell| cell.value.is_empty()),
            (_, Some(comparison), Some(cell)) => comparison.accepts(cell.value)?,
            (_, _, found) => found.is_some(),
        };
        Ok(holds.then(|| found.map_or(0, |cell| cell.timestamp)))
    }

    /// What a condition looks at: its column, or all columns.
    fn condition_reads(&self, condition: &Condition<'_>) -> Result<Vec<FamilyRead>> {
        let range = condition.range();
        let Some((family, qualifier)) = condition.column() else {
            return Ok((0..self.stores.len())
                .map(|store| FamilyRead { store, range, columns: None })
                .collect());
        };
        let columns = Some(Arc::from([qualifier.to_vec()]));
        Ok(vec![FamilyRead { store: self.store_index(family)?, range, columns }])
    }

    /// The newest visible cell of each column that `deltas` name, encoded with tags.
    pub(super) fn current_cells(
        &self,
        deltas: &[WireCell<'_>],
        range: TimeRange,
        read_point: u64,
        may_block: bool,
        now: i64,
    ) -> Result<Vec<u8>> {
        let Some(first) = deltas.first() else { return Ok(Vec::new()) };
        let reads = self.column_reads(deltas, range)?;
        let plan = ReadPlan::of_row(first.cell.row, read_point, may_block, now);
        let mut scan = self.row_scan(&reads, plan)?;
        let mut sink = BoundedSink::with_tags(CURRENT_BYTES_MAX);
        read_row(&mut scan, &mut sink, false)?;
        if !sink.is_whole() {
            return Err(current_cells_too_big(first.cell.row));
        }
        Ok(sink.cells)
    }

    /// The columns that `deltas` name, each once, by store.
    fn column_reads(&self, deltas: &[WireCell<'_>], range: TimeRange) -> Result<Vec<FamilyRead>> {
        let mut columns: Vec<(usize, Vec<u8>)> = Vec::with_capacity(deltas.len());
        for delta in deltas {
            columns.push((self.store_index(delta.family)?, delta.cell.qualifier.to_vec()));
        }
        columns.sort();
        columns.dedup();
        let mut reads: Vec<FamilyRead> = Vec::new();
        for group in columns.chunk_by(|a, b| a.0 == b.0) {
            let qualifiers: Arc<[_]> = group.iter().map(|(_, qualifier)| qualifier.clone()).collect();
            let store = group.first().map_or(0, |(store, _)| *store);
            reads.push(FamilyRead { store, range, columns: Some(qualifiers) });
        }
        Ok(reads)
    }
}

/// Whether `value OP stored`. An empty value is equal to nothing and to an empty stored one, and less or greater than neither.
fn column_holds(op: CompareOp, value: &[u8], found: Option<CellRef<'_>>) -> bool {
    match found {
        _ if value.is_empty() => {
            found.is_none_or(|cell| cell.value.is_empty()) != (op == CompareOp::NotEqual)
        }
        None => false,
        Some(cell) => op.accepts(value.cmp(cell.value)),
    }
}

fn current_cells_too_big(row: &[u8]) -> Error {
    Error::new(
        ErrorKind::RowTooBig,
        format!(
            "the columns of row {} that one operation increments or appends to have more than {CURRENT_BYTES_MAX} bytes; name fewer of them \
             at a time",
            row.escape_ascii()
        ),
    )
}

fn condition_too_big(row: &[u8]) -> Error {
    Error::new(
        ErrorKind::RowTooBig,
        format!(
            "row {} is too large for a condition whose filter evaluates all cells of a row: it may collect {CONDITION_BYTES_MAX} bytes; use a \
             filter that evaluates cell by cell, or a condition on one column",
            row.escape_ascii()
        ),
    )
}
