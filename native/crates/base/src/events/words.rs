//! Numbers as a reader of a log wants them.

/// Bytes in the largest unit that leaves a figure above 1, in steps of 1,024 as HBase prints them.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    let mut figure = bytes as f64 / 1024.0;
    if figure < 1.0 {
        return format!("{bytes} B");
    }
    let mut unit = 0;
    while figure >= 1024.0 && unit + 1 < UNITS.len() {
        figure /= 1024.0;
        unit += 1;
    }
    format!("{figure:.1} {}", UNITS.get(unit).copied().unwrap_or_default())
}

/// A number with its noun: `1 row`, `2 rows`.
pub fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_numbers_read_well() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1536), "1.5 KB");
        assert_eq!(bytes(3 << 30), "3.0 GB");
        assert_eq!(bytes(5000 << 40), "5000.0 TB");
        assert_eq!((count(1, "file"), count(0, "file")), ("1 file".to_string(), "0 files".to_string()));
    }
}
