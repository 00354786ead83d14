//! How a comparator's answer is read.

use grampus_base::{Error, ErrorKind, Result};

/// HBase's CompareOperator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
    /// Never compares.
    NoOp,
}

impl CompareOp {
    /// The operator for its code.
    pub fn from_code(code: u8) -> Result<CompareOp> {
        Ok(match code {
            0 => CompareOp::Less,
            1 => CompareOp::LessOrEqual,
            2 => CompareOp::Equal,
            3 => CompareOp::NotEqual,
            4 => CompareOp::GreaterOrEqual,
            5 => CompareOp::Greater,
            6 => CompareOp::NoOp,
            other => {
                return Err(Error::new(ErrorKind::BadRequest, format!("unknown compare operator {other}")));
            }
        })
    }

    /// Whether `ordering` (left against right) satisfies `left OP right`.
    pub fn accepts(self, ordering: std::cmp::Ordering) -> bool {
        match self {
            CompareOp::Less => ordering.is_lt(),
            CompareOp::LessOrEqual => ordering.is_le(),
            CompareOp::Equal => ordering.is_eq(),
            CompareOp::NotEqual => ordering.is_ne(),
            CompareOp::GreaterOrEqual => ordering.is_ge(),
            CompareOp::Greater => ordering.is_gt(),
            CompareOp::NoOp => false,
        }
    }
}
