//! A comparison of single values, outside a filter.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::ByteReader;

use crate::CompareOp;
use crate::comparator::Comparator;
use crate::pattern::{Failure, PatternContext};

/// A comparator and how its answer is read.
pub struct Comparison {
    op: CompareOp,
    comparator: Comparator,
    failure: Arc<Failure>,
}

impl Comparison {
    /// Decodes a comparator as filters have it.
    pub fn decode(op: CompareOp, bytes: &[u8], patterns: &PatternContext) -> Result<Comparison> {
        let mut reader = ByteReader::new(bytes);
        let comparator = Comparator::decode(&mut reader, patterns)?;
        reader.finish("the comparator")?;
        Ok(Comparison { op, comparator, failure: Arc::clone(&patterns.failure) })
    }

    /// Whether `comparator OP value` holds; filters ask the other way round.
    ///
    /// # Errors
    /// When the comparator cannot compare with this value.
    pub fn accepts(&self, value: &[u8]) -> Result<bool> {
        let accepted = self.op.accepts(self.comparator.compare(value));
        if !self.failure.is_set() {
            return Ok(accepted);
        }
        Err(self.failure.take().unwrap_or_else(|| {
            Error::new(ErrorKind::BadRequest, "the comparator of a condition has failed before")
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{NoPatternCompiler, PatternCompiler};

    fn comparison(op: CompareOp, bytes: &[u8]) -> Result<Comparison> {
        let compiler: Arc<dyn PatternCompiler> = Arc::new(NoPatternCompiler);
        Comparison::decode(op, bytes, &PatternContext::new(&compiler, true))
    }

    #[test]
    fn the_comparator_is_the_left_operand() {
        let m = [1, 1, 0, 0, 0, b'm'];
        let less = comparison(CompareOp::Less, &m).unwrap();
        assert!(less.accepts(b"z").unwrap() && !less.accepts(b"a").unwrap());
        let greater = comparison(CompareOp::GreaterOrEqual, &m).unwrap();
        assert!(greater.accepts(b"m").unwrap() && !greater.accepts(b"z").unwrap());
    }

    #[test]
    fn a_comparator_that_cannot_compare_is_an_error() {
        let five = [3, 5, 0, 0, 0, 0, 0, 0, 0];
        let long = comparison(CompareOp::Less, &five).unwrap();
        assert!(long.accepts(&6i64.to_be_bytes()).unwrap());
        assert_eq!(long.accepts(b"seven b").unwrap_err().kind, ErrorKind::BadRequest);
        assert!(
            comparison(CompareOp::Less, &five[..5]).is_err() && comparison(CompareOp::Less, &[6, 0]).is_err()
        );
    }
}
