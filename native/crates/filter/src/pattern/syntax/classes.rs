//! Classes of characters and escaped characters.

use super::{Parser, Set};

impl Parser<'_> {
    /// Behind a backslash.
    pub(super) fn escape(&mut self) -> Option<Set> {
        let mut set = Set::EMPTY;
        match self.text.next()? {
            class @ ('d' | 'w' | 's' | 'D' | 'W' | 'S') => return Some(predefined(class)),
            escaped => set.add(self.escaped(escaped)?),
        }
        Some(set)
    }

    /// The one character that an escape stands for.
    fn escaped(&mut self, escaped: char) -> Option<u8> {
        match escaped {
            't' => Some(b'\t'),
            'n' => Some(b'\n'),
            'r' => Some(b'\r'),
            'f' => Some(0x0c),
            'a' => Some(0x07),
            'e' => Some(0x1b),
            'x' => {
                let (high, low) = (self.text.next()?.to_digit(16)?, self.text.next()?.to_digit(16)?);
                u8::try_from(high * 16 + low).ok()
            }
            punctuation if punctuation.is_ascii_punctuation() => u8::try_from(punctuation).ok(),
            _ => None,
        }
    }

    /// Behind `[`.
    pub(super) fn class(&mut self) -> Option<Set> {
        let negated = self.take('^');
        let mut set = Set::EMPTY;
        let mut first = true;
        while first || !self.take(']') {
            self.class_item(&mut set, first)?;
            first = false;
        }
        let set = self.folded(set);
        Some(if negated { set.negated() } else { set })
    }

    fn class_item(&mut self, set: &mut Set, first: bool) -> Option<()> {
        let from = match self.text.next()? {
            '\\' => match self.text.next()? {
                class @ ('d' | 'w' | 's' | 'D' | 'W' | 'S') => {
                    set.add_set(&predefined(class));
                    return (self.text.peek() != Some(&'-')).then_some(());
                }
                escaped => self.escaped(escaped)?,
            },
            // A hyphen is one only at either end.
            '-' if first || self.text.peek() == Some(&']') => {
                set.add(b'-');
                return (self.text.peek() != Some(&'-')).then_some(());
            }
            '[' | ']' | '&' | '^' | '-' => return None,
            character => u8::try_from(character).ok()?,
        };
        if !self.starts_with("-") || self.starts_with("-]") {
            set.add(from);
            return Some(());
        }
        self.text.next();
        let to = match self.text.next()? {
            '\\' => {
                let escaped = self.text.next()?;
                self.escaped(escaped)?
            }
            '[' | ']' | '&' | '^' | '-' => return None,
            character => u8::try_from(character).ok()?,
        };
        if from > to {
            return None;
        }
        set.add_range(from, to);
        Some(())
    }
}

/// `\d`, `\w`, `\s` and their negations: ASCII alone, unless Java is told otherwise.
fn predefined(class: char) -> Set {
    let mut set = Set::EMPTY;
    match class.to_ascii_lowercase() {
        'd' => set.add_range(b'0', b'9'),
        'w' => {
            set.add_range(b'0', b'9');
            set.add_range(b'A', b'Z');
            set.add_range(b'a', b'z');
            set.add(b'_');
        }
        _ => {
            set.add(b' ');
            set.add_range(b'\t', b'\r');
        }
    }
    if class.is_ascii_uppercase() { set.negated() } else { set }
}
