//! Decimal numbers from text, kept exactly.

use crate::shown::shown;
use crate::values::Read;

/// The number that a text such as `-12.50` or `1e3` is, times ten to the power of `scale`; empty is null.
///
/// # Errors
/// The text is no number, has more than `precision` digits in all, or more than `scale` behind the point; nothing is rounded.
pub(super) fn parse(text: &[u8], precision: u8, scale: i8) -> Read<i128> {
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = |what: &str| format!("{} {what} decimal({precision},{scale})", shown(text));
    let number = Digits::parse(text).ok_or_else(|| wrong("is no"))?;
    let shift = number.exponent.saturating_add(i64::from(scale));
    if number.digits == 0 {
        return Ok(Some(0));
    }
    if shift < 0 {
        return Err(wrong("has more digits behind the point than a"));
    }
    let scaled = power_of_ten(shift).and_then(|power| number.digits.checked_mul(power));
    let fits = scaled.zip(power_of_ten(i64::from(precision))).is_some_and(|(scaled, limit)| scaled < limit);
    let scaled = scaled.filter(|_| fits).ok_or_else(|| wrong("has more digits than a"))?;
    Ok(Some(if number.negative { -scaled } else { scaled }))
}

/// `digits * 10^exponent`; the last digit is not 0.
struct Digits {
    negative: bool,
    digits: i128,
    exponent: i64,
}

impl Digits {
    /// `None` for what is no number.
    fn parse(text: &[u8]) -> Option<Digits> {
        let (negative, text) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let exponent_at = text.iter().position(|b| matches!(b, b'e' | b'E'));
        let (mantissa, exponent) = match exponent_at {
            None => (text, 0),
            Some(at) => (text.get(..at)?, exponent(text.get(at + 1..)?)?),
        };
        let point = mantissa.iter().position(|b| *b == b'.');
        let (whole, fraction) = match point {
            None => (mantissa, &[][..]),
            Some(at) => (mantissa.get(..at)?, mantissa.get(at + 1..)?),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let (mut digits, mut zeros) = (0i128, 0i64);
        for byte in whole.iter().chain(fraction) {
            if !byte.is_ascii_digit() {
                return None;
            }
            match byte - b'0' {
                0 if digits == 0 => {}
                0 => zeros += 1,
                digit => {
                    digits = append(digits, zeros, digit);
                    zeros = 0;
                }
            }
        }
        let behind = i64::try_from(fraction.len()).ok()?;
        Some(Digits { negative, digits, exponent: exponent.saturating_add(zeros).saturating_sub(behind) })
    }
}

/// Digits with zeros and one digit behind them. More than fit become the largest number, which no precision allows.
fn append(digits: i128, zeros: i64, digit: u8) -> i128 {
    let power = power_of_ten(zeros + 1);
    let shifted = power.and_then(|power| digits.checked_mul(power));
    shifted.and_then(|shifted| shifted.checked_add(i128::from(digit))).unwrap_or(i128::MAX)
}

fn power_of_ten(exponent: i64) -> Option<i128> {
    10i128.checked_pow(u32::try_from(exponent).ok()?)
}

/// What stands behind an `e`. One that is out of any range is as large as numbers here may be.
fn exponent(text: &[u8]) -> Option<i64> {
    let (sign, digits) = match text {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size = digits.iter().fold(0i64, |size, digit| {
        size.saturating_mul(10).saturating_add(i64::from(digit - b'0')).min(i64::from(i32::MAX))
    });
    Some(sign * size)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_kept_exactly() {
        for (text, expected) in [
            ("0", 0),
            ("-0.0", 0),
            ("0000000000000000000000000000000000000000000000000001", 100),
            ("1.5", 150),
            ("+.5", 50),
            ("5.", 500),
            ("-12.34", -1234),
            ("1.2500000000000000000000000000000000000000000000000000000", 125),
            ("1e3", 100_000),
            ("12.5E-1", 125),
            ("0e99999999999999999999", 0),
            ("99999.99", 9_999_999),
        ] {
            assert_eq!(parse(text.as_bytes(), 7, 2), Ok(Some(expected)), "{text}");
        }
        assert_eq!(parse(b"", 7, 2), Ok(None));
        let nines = "9".repeat(38);
        assert_eq!(parse(nines.as_bytes(), 38, 0), Ok(Some(10i128.pow(38) - 1)));
    }

    #[test]
    fn what_does_not_fit_is_refused_and_not_rounded() {
        for (text, why) in [
            ("1.234", "1.234 has more digits behind the point than a decimal(7,2)"),
            ("1e-3", "1e-3 has more digits behind the point than a decimal(7,2)"),
            ("100000", "100000 has more digits than a decimal(7,2)"),
            ("1e5", "1e5 has more digits than a decimal(7,2)"),
            ("1e99999999999999999999", "1e99999999999999999999 has more digits than a decimal(7,2)"),
        ] {
            assert_eq!(parse(text.as_bytes(), 7, 2).unwrap_err(), why);
        }
        for text in ["9".repeat(39), "9".repeat(60), format!("1{}1", "0".repeat(50))] {
            assert!(parse(text.as_bytes(), 38, 0).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in
            ["-", ".", "e1", "1e", "1e+", "1..2", "1,5", " 1", "1 ", "NaN", "0x10", "1e1.5", "\u{661}"]
        {
            let error = parse(text.as_bytes(), 38, 10).unwrap_err();
            assert!(error.ends_with(" is no decimal(38,10)"), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn a_printed_number_is_the_number(digits in -(10i128.pow(20))..10i128.pow(20), scale in 0i8..18) {
            let unit = 10u128.pow(u32::try_from(scale).unwrap());
            let (whole, part) = (digits.unsigned_abs() / unit, digits.unsigned_abs() % unit);
            let sign = if digits < 0 { "-" } else { "" };
            let width = usize::try_from(scale).unwrap();
            let text = if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part:0width$}") };
            prop_assert_eq!(parse(text.as_bytes(), 38, scale), Ok(Some(digits)));
        }

        #[test]
        fn no_text_panics(text in proptest::collection::vec(any::<u8>(), 0..60), scale in 0i8..38) {
            let _ = parse(&text, 38, scale);
        }
    }
}
