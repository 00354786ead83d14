//! Row order as a property of a region. No other code compares row keys.

use std::cmp::Ordering;

/// How the rows of a region are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowOrder {
    /// Unsigned bytes, every user table.
    Bytes,
    /// hbase:meta: table, start key and region id, split at the first and last comma (HBase's `MetaCellComparator`).
    Meta,
}

impl RowOrder {
    /// The order of a name in requests: `bytes` or `meta`.
    pub fn named(name: &str) -> Option<RowOrder> {
        match name {
            "bytes" => Some(RowOrder::Bytes),
            "meta" => Some(RowOrder::Meta),
            _ => None,
        }
    }

    /// Compares two row keys.
    #[inline]
    pub fn compare(self, left: &[u8], right: &[u8]) -> Ordering {
        match self {
            RowOrder::Bytes => left.cmp(right),
            RowOrder::Meta => compare_meta(left, right),
        }
    }
}

/// `MetaCellComparator.compareRows`: the table part up to the first comma, then the start key up to the last comma, then the id.
/// A row without the delimiter is compared as a whole against the other's part.
fn compare_meta(left: &[u8], right: &[u8]) -> Ordering {
    let (left_first, right_first) = (first_comma(left), first_comma(right));
    let table = part(left, 0, left_first).cmp(part(right, 0, right_first));
    if table != Ordering::Equal {
        return table;
    }
    let (left_start, right_start) = match (left_first, right_first) {
        (None, None) => return Ordering::Equal,
        (None, Some(_)) => return Ordering::Less,
        (Some(_), None) => return Ordering::Greater,
        (Some(l), Some(r)) => (l + 1, r + 1),
    };
    let (left_last, right_last) = (last_comma(left, left_start), last_comma(right, right_start));
    let start = part(left, left_start, left_last).cmp(part(right, right_start, right_last));
    if start != Ordering::Equal {
        return start;
    }
    match (left_last, right_last) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(l), Some(r)) => part(left, l + 1, None).cmp(part(right, r + 1, None)),
    }
}

fn first_comma(row: &[u8]) -> Option<usize> {
    row.iter().position(|b| *b == b',')
}

fn last_comma(row: &[u8], from: usize) -> Option<usize> {
    row.iter().rposition(|b| *b == b',').filter(|at| *at >= from)
}

fn part(row: &[u8], from: usize, to: Option<usize>) -> &[u8] {
    row.get(from..to.unwrap_or(row.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meta_order_splits_at_first_and_last_comma() {
        let order = RowOrder::Meta;
        assert_eq!(order.compare(b"t,,1", b"t,a,1"), Ordering::Less);
        assert_eq!(order.compare(b"t,a!,1", b"t,a,2"), Ordering::Greater);
        assert_eq!(order.compare(b"t,a,b,1", b"t,a,2"), Ordering::Greater);
        assert_eq!(order.compare(b"t", b"t,,1"), Ordering::Less);
        assert_eq!(order.compare(b"t!,,1", b"t,z,1"), Ordering::Greater);
    }
}
