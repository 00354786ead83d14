//! Decodes a filter tree.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result, split_mix};
use grampus_cells::ByteReader;

use super::Filter;
use super::column_count_get::ColumnCountGetFilter;
use super::column_pagination::ColumnPaginationFilter;
use super::column_prefix::ColumnPrefixFilter;
use super::column_range::ColumnRangeFilter;
use super::column_value::ColumnValueFilter;
use super::comparator::Comparator;
use super::dependent_column::DependentColumnFilter;
use super::family::FamilyFilter;
use super::filter_all::FilterAllFilter;
use super::first_key_only::FirstKeyOnlyFilter;
use super::fuzzy_row::FuzzyRowFilter;
use super::guard::Guard;
use super::inclusive_stop::InclusiveStopFilter;
use super::key_only::KeyOnlyFilter;
use super::list::{AllFilters, AnyFilter};
use super::multi_row_range::{KeyRange, MultiRowRangeFilter};
use super::multiple_column_prefix::MultipleColumnPrefixFilter;
use super::page::PageFilter;
use super::pattern::PatternContext;
use super::prefix::PrefixFilter;
use super::qualifier::QualifierFilter;
use super::random_row::RandomRowFilter;
use super::row::RowFilter;
use super::single_column_value::SingleColumnValueFilter;
use super::skip::SkipFilter;
use super::tag;
use super::timestamps::TimestampsFilter;
use super::value::ValueFilter;
use super::while_match::WhileMatchFilter;
use crate::CompareOp;

const DEPTH_MAX: u32 = 32;

fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadRequest, message)
}

/// Decodes a filter; empty bytes are no filter. After every read with it [`Filter::check`] says whether its answers stand.
pub fn decode(bytes: &[u8], reversed: bool, patterns: &PatternContext) -> Result<Option<Box<dyn Filter>>> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let mut decoder =
        Decoder { reader: ByteReader::new(bytes), reversed, seed: crc32c::crc32c(bytes).into(), patterns };
    let filter = decoder.filter(0)?;
    decoder.reader.finish("the filter")?;
    Ok(Some(Guard::over(filter, Arc::clone(&patterns.failure))))
}

struct Decoder<'a> {
    reader: ByteReader<'a>,
    reversed: bool,
    seed: u64,
    patterns: &'a PatternContext,
}

impl Decoder<'_> {
    fn filter(&mut self, depth: u32) -> Result<Box<dyn Filter>> {
        if depth >= DEPTH_MAX {
            return Err(bad(format!("filters are nested deeper than {DEPTH_MAX} levels")));
        }
        let reversed = self.reversed;
        Ok(match self.reader.u8("a filter")? {
            tag::ROW => {
                let (op, comparator) = self.comparison()?;
                Box::new(RowFilter { op, comparator, out: false })
            }
            tag::FAMILY => {
                let (op, comparator) = self.comparison()?;
                Box::new(FamilyFilter { op, comparator })
            }
            tag::QUALIFIER => {
                let (op, comparator) = self.comparison()?;
                Box::new(QualifierFilter { op, comparator })
            }
            tag::VALUE => {
                let (op, comparator) = self.comparison()?;
                Box::new(ValueFilter { op, comparator })
            }
            tag::DEPENDENT_COLUMN => self.dependent_column()?,
            tag::SINGLE_COLUMN_VALUE => self.single_column_value(false)?,
            tag::SINGLE_COLUMN_VALUE_EXCLUDE => self.single_column_value(true)?,
            tag::COLUMN_VALUE => self.column_value()?,
            tag::PREFIX => {
                Box::new(PrefixFilter { prefix: self.bytes()?, reversed, passed: false, out: true })
            }
            tag::INCLUSIVE_STOP => {
                Box::new(InclusiveStopFilter { stop: self.bytes()?, reversed, done: false })
            }
            tag::PAGE => Box::new(PageFilter { size: self.reader.i64("a page size")?, accepted: 0 }),
            tag::COLUMN_COUNT_GET => {
                Box::new(ColumnCountGetFilter { limit: self.reader.i32("a limit")?.into(), count: 0 })
            }
            tag::COLUMN_PAGINATION => self.column_pagination()?,
            tag::COLUMN_PREFIX => Box::new(ColumnPrefixFilter { prefix: self.bytes()? }),
            tag::MULTIPLE_COLUMN_PREFIX => Box::new(MultipleColumnPrefixFilter::new(self.byte_strings()?)),
            tag::COLUMN_RANGE => self.column_range()?,
            tag::FIRST_KEY_ONLY => Box::new(FirstKeyOnlyFilter { qualifiers: None, found: false }),
            tag::FIRST_KEY_VALUE_MATCHING_QUALIFIERS => {
                Box::new(FirstKeyOnlyFilter { qualifiers: Some(self.byte_strings()?), found: false })
            }
            tag::KEY_ONLY => {
                Box::new(KeyOnlyFilter { length_as_value: self.reader.flag("length_as_value")? })
            }
            tag::TIMESTAMPS => self.timestamps()?,
            tag::FUZZY_ROW => self.fuzzy_row()?,
            tag::MULTI_ROW_RANGE => self.multi_row_range()?,
            tag::RANDOM_ROW => self.random_row()?,
            tag::SKIP => Box::new(SkipFilter { inner: self.wrapped(depth)?, out: false }),
            tag::WHILE_MATCH => Box::new(WhileMatchFilter { inner: self.wrapped(depth)?, done: false }),
            tag::LIST => self.list(depth)?,
            tag::FILTER_ALL => Box::new(FilterAllFilter),
            other => return Err(bad(format!("unknown filter {other}"))),
        })
    }

    fn bytes(&mut self) -> Result<Vec<u8>> {
        Ok(self.reader.bytes("a filter's bytes")?.to_vec())
    }

    fn byte_strings(&mut self) -> Result<Vec<Vec<u8>>> {
        let count = self.reader.count(4, "a filter's count")?;
        (0..count).map(|_| self.bytes()).collect()
    }

    fn comparison(&mut self) -> Result<(CompareOp, Comparator)> {
        let op = CompareOp::from_code(self.reader.u8("a compare operator")?)?;
        Ok((op, Comparator::decode(&mut self.reader, self.patterns)?))
    }

    fn dependent_column(&mut self) -> Result<Box<dyn Filter>> {
        let (family, qualifier) = (self.bytes()?, self.bytes()?);
        let drop_column = self.reader.flag("drop_dependent_column")?;
        let (op, comparator) = self.comparison()?;
        let stamps = HashSet::new();
        Ok(Box::new(DependentColumnFilter { family, qualifier, drop_column, op, comparator, stamps }))
    }

    fn column_value(&mut self) -> Result<Box<dyn Filter>> {
        let (family, qualifier) = (self.bytes()?, self.bytes()?);
        let (op, comparator) = self.comparison()?;
        Ok(Box::new(ColumnValueFilter { family, qualifier, op, comparator, found: false }))
    }

    fn column_pagination(&mut self) -> Result<Box<dyn Filter>> {
        let (limit, offset) = (self.reader.i32("a limit")?.into(), self.reader.i32("an offset")?.into());
        let has_column = self.reader.flag("has_column")?;
        let column = self.bytes()?;
        let column = has_column.then_some(column);
        Ok(Box::new(ColumnPaginationFilter { limit, offset, column, count: 0 }))
    }

    fn column_range(&mut self) -> Result<Box<dyn Filter>> {
        let flags = self.reader.u8("column range flags")?;
        let (min, max) = (self.bytes()?, self.bytes()?);
        Ok(Box::new(ColumnRangeFilter {
            min: (flags & 1 != 0).then_some((min, flags & 2 != 0)),
            max: (flags & 4 != 0).then_some((max, flags & 8 != 0)),
        }))
    }

    fn timestamps(&mut self) -> Result<Box<dyn Filter>> {
        let count = self.reader.count(8, "the timestamp count")?;
        let timestamps =
            (0..count).map(|_| self.reader.i64("a timestamp")).collect::<Result<BTreeSet<i64>>>()?;
        Ok(Box::new(TimestampsFilter { timestamps, can_hint: self.reader.flag("can_hint")? }))
    }

    fn single_column_value(&mut self, exclude: bool) -> Result<Box<dyn Filter>> {
        let (family, qualifier) = (self.bytes()?, self.bytes()?);
        let (op, comparator) = self.comparison()?;
        let filter_if_missing = self.reader.flag("filter_if_missing")?;
        let latest_only = self.reader.flag("latest_only")?;
        Ok(Box::new(SingleColumnValueFilter {
            family,
            qualifier,
            op,
            comparator,
            filter_if_missing,
            latest_only,
            exclude,
            found: false,
            matched: false,
        }))
    }

    fn fuzzy_row(&mut self) -> Result<Box<dyn Filter>> {
        let count = self.reader.count(8, "the pattern count")?;
        let mut patterns = Vec::with_capacity(count);
        for _ in 0..count {
            let (key, mask) = (self.bytes()?, self.bytes()?);
            if key.len() != mask.len() {
                return Err(bad("FuzzyRowFilter: a key and its mask have different lengths"));
            }
            patterns.push((key, mask));
        }
        let mask_v2 = self.reader.flag("mask_v2")?;
        Ok(Box::new(FuzzyRowFilter::new(patterns, mask_v2, self.reversed)))
    }

    fn multi_row_range(&mut self) -> Result<Box<dyn Filter>> {
        let count = self.reader.count(10, "the range count")?;
        let mut ranges = Vec::with_capacity(count);
        for _ in 0..count {
            let (start, include_start) = (self.bytes()?, self.reader.flag("include_start")?);
            let (stop, include_stop) = (self.bytes()?, self.reader.flag("include_stop")?);
            ranges.push(KeyRange { start, include_start, stop, include_stop });
        }
        Ok(Box::new(MultiRowRangeFilter::new(ranges, self.reversed)?))
    }

    fn random_row(&mut self) -> Result<Box<dyn Filter>> {
        let chance = f32::from_bits(self.reader.u32("a chance")?);
        // Two of one tree draw apart.
        Ok(Box::new(RandomRowFilter { chance, seed: split_mix(&mut self.seed), out: false }))
    }

    /// A filter inside a SkipFilter or WhileMatchFilter. HBase tells a list's members that the scan is reversed
    /// (`FilterListBase#setReversed`), and these two do not pass it on.
    fn wrapped(&mut self, depth: u32) -> Result<Box<dyn Filter>> {
        let reversed = std::mem::take(&mut self.reversed);
        let inner = self.filter(depth + 1);
        self.reversed = reversed;
        inner
    }

    fn list(&mut self, depth: u32) -> Result<Box<dyn Filter>> {
        let op = self.reader.u8("a list operator")?;
        let count = self.reader.count(1, "the filter count")?;
        let filters = (0..count).map(|_| self.filter(depth + 1)).collect::<Result<Vec<_>>>()?;
        let reversed = self.reversed;
        match op {
            1 => Ok(Box::new(AllFilters::new(filters, reversed))),
            2 => Ok(Box::new(AnyFilter::new(filters, reversed))),
            other => Err(bad(format!("unknown list operator {other}"))),
        }
    }
}
