//! Tags of filters in a filter tree (`docs/jni.md`), as Java's `FilterTag` has them.

/// A constant for each tag, and for the test all of them with their names.
macro_rules! tags {
    ($($name:ident = $value:literal,)*) => {
        $(pub(crate) const $name: u8 = $value;)*

        #[cfg(test)]
        const ALL: &[(&str, u8)] = &[$((stringify!($name), $name)),*];
    };
}

tags! {
    ROW = 1,
    FAMILY = 2,
    QUALIFIER = 3,
    VALUE = 4,
    DEPENDENT_COLUMN = 5,
    SINGLE_COLUMN_VALUE = 6,
    SINGLE_COLUMN_VALUE_EXCLUDE = 7,
    COLUMN_VALUE = 8,
    PREFIX = 9,
    INCLUSIVE_STOP = 10,
    PAGE = 11,
    COLUMN_COUNT_GET = 12,
    COLUMN_PAGINATION = 13,
    COLUMN_PREFIX = 14,
    MULTIPLE_COLUMN_PREFIX = 15,
    COLUMN_RANGE = 16,
    FIRST_KEY_ONLY = 17,
    FIRST_KEY_VALUE_MATCHING_QUALIFIERS = 18,
    KEY_ONLY = 19,
    TIMESTAMPS = 20,
    FUZZY_ROW = 21,
    MULTI_ROW_RANGE = 22,
    RANDOM_ROW = 23,
    SKIP = 24,
    WHILE_MATCH = 25,
    LIST = 26,
    FILTER_ALL = 27,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tags_are_those_of_the_file_that_java_is_compared_with() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/boundary/filters.txt");
        let ours: String = ALL.iter().map(|(name, tag)| format!("{} {tag}\n", name.to_lowercase())).collect();
        assert_eq!(std::fs::read_to_string(path).unwrap(), ours, "{path}");
    }
}
