//! Timestamps as text.

use std::io::Write as _;

const MILLIS_PER_DAY: i64 = 86_400_000;
/// Days of 400 years, after which the calendar repeats.
const DAYS_PER_ERA: i64 = 146_097;
/// Days from 0000-03-01, the beginning of an era, to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

/// Appends milliseconds since 1970-01-01 UTC as ISO 8601 has them: `2026-11-22T23:21:36.000Z`. Years beyond 9999 and before 0 have a sign.
pub(super) fn push(out: &mut Vec<u8>, millis: i64) {
    let (days, rest) = (millis.div_euclid(MILLIS_PER_DAY), millis.rem_euclid(MILLIS_PER_DAY));
    let (year, month, day) = date(days);
    let (seconds, millis) = (rest / 1000, rest % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    // Writing to a vector cannot fail.
    let _ = match year {
        0..=9999 => write!(out, "{year:04}"),
        _ => write!(out, "{year:+05}"),
    };
    let _ = write!(out, "-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z");
}

/// Year, month and day of a number of days since 1970-01-01. Years are counted from March on here, so that the leap day is a year's last.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + DAYS_TO_1970;
    let (era, day) = (days.div_euclid(DAYS_PER_ERA), days.rem_euclid(DAYS_PER_ERA));
    // A day for every four years but each hundredth, and the last day of the era.
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // The months from March on have 31, 30, 31, 30, 31 days, and again.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (400 * era + year + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(millis: i64) -> String {
        let mut out = Vec::new();
        push(&mut out, millis);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn timestamps_of_all_times() {
        for (millis, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_795_389_696_007, "2026-11-22T23:21:36.007Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "+10000-01-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"),
            (i64::MAX, "+292278994-08-17T07:12:55.807Z"),
            (i64::MIN, "-292275055-05-16T16:47:04.192Z"),
        ] {
            assert_eq!(text(millis), expected);
        }
    }

    #[test]
    fn each_day_follows_the_one_before() {
        let mut before = date(-800_000);
        for days in -799_999..800_000 {
            let (year, month, day) = date(days);
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let first = (day, month) == (1, 1);
            let expected_year = if first { before.0 + 1 } else { before.0 };
            assert_eq!(year, expected_year, "{days}");
            if day == 1 {
                let length = match before.1 {
                    2 => 28 + i64::from(before.0 % 4 == 0 && (before.0 % 100 != 0 || before.0 % 400 == 0)),
                    4 | 6 | 9 | 11 => 30,
                    _ => 31,
                };
                assert_eq!((before.2, month), (length, before.1 % 12 + 1), "{days}");
            } else {
                assert_eq!((month, day), (before.1, before.2 + 1), "{days}");
            }
            assert!(leap || (month, day) != (2, 29));
            before = (year, month, day);
        }
    }
}
