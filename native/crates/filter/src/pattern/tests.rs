use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use grampus_testkit::random::Random;

use super::charset::Charset;
use super::syntax::{Beyond, CASE_INSENSITIVE, DOTALL, LITERAL, Node, RegularPattern, Set, UNIX_LINES};
use super::*;

fn source(text: &str, flags: u32, charset: &str) -> PatternSource {
    PatternSource { text: text.into(), flags, charset: charset.into(), engine: PatternEngine::Java }
}

fn search(text: &str, flags: u32, charset: &str, bytes: &[u8]) -> Occurrence {
    Translation::of(&source(text, flags, charset))
        .unwrap_or_else(|| panic!("{text:?} is regular"))
        .search(bytes)
}

fn occurs(text: &str, flags: u32, charset: &str, bytes: &[u8]) -> bool {
    search(text, flags, charset, bytes) == Occurrence::Occurs
}

/// A compiler whose patterns occur in every text of even length and fail on the empty one; it counts its patterns.
#[derive(Default)]
struct EvenCompiler {
    live: Arc<AtomicUsize>,
    asked: Arc<AtomicUsize>,
}

struct EvenPattern {
    live: Arc<AtomicUsize>,
    asked: Arc<AtomicUsize>,
    calls: Cell<u32>,
}

impl PatternCompiler for EvenCompiler {
    fn compile(&self, source: &PatternSource) -> Result<Box<dyn CompiledPattern>> {
        if source.text.contains("invalid") {
            return Err(bad("invalid"));
        }
        self.live.fetch_add(1, Ordering::Relaxed);
        let (live, asked) = (Arc::clone(&self.live), Arc::clone(&self.asked));
        Ok(Box::new(EvenPattern { live, asked, calls: Cell::new(0) }))
    }
}

impl CompiledPattern for EvenPattern {
    fn find(&self, bytes: &[u8]) -> Result<bool> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.calls.set(self.calls.get() + 1);
        if bytes.is_empty() { Err(bad("too slow")) } else { Ok(bytes.len().is_multiple_of(2)) }
    }
}

impl Drop for EvenPattern {
    fn drop(&mut self) {
        self.live.fetch_sub(1, Ordering::Relaxed);
    }
}

fn even() -> (Arc<EvenCompiler>, PatternContext) {
    let compiler = Arc::new(EvenCompiler::default());
    let shared: Arc<dyn PatternCompiler> = compiler.clone();
    (compiler, PatternContext::new(&shared, true))
}

#[test]
fn what_is_not_regular_is_left_to_java() {
    let java = [
        "a(?=b)",
        "a(?!b)",
        "(?<=a)b",
        "(a)\\1",
        "a++",
        "a*+",
        "(?>a)",
        "\\b",
        "\\R",
        "\\h",
        "\\p{Alpha}",
        "[a&&b]",
        "[a[b]]",
        "(?m)a",
        "(?u)a",
        "(?x)a",
        "(?-i)a",
        "(?i:a)",
        "a(?i)b",
        "(a*)*",
        "(a|bc)*",
        "(|a)",
        "()",
        "a$b",
        "(a$)",
        "a^",
        "(^a)",
        "^*",
        "a{1001}",
        "a{,2}",
        "a{2,1}",
        "a**",
        "a{2}{3}",
        "\\Qab\\E*",
        "\\Qab",
        "[\\Qa\\E]",
        "[a",
        "(a",
        "a)",
        "*a",
        "{",
        "[]",
        "[^]",
        "[b-a]",
        "[a-\\d]",
        "\\u0041",
        "\\x{41}",
        "\\cA",
        "\\Z",
        "\\z",
        "\\A",
        "\\G",
        "\\k<a>",
        "\u{100}",
        "\\",
        "\\0101",
        "[a-b-c&&d]",
        "[]a]",
    ];
    for text in java {
        for charset in ["UTF-8", "ISO-8859-1", "US-ASCII"] {
            assert!(Translation::of(&source(text, DOTALL, charset)).is_none(), "{text:?} {charset}");
        }
    }
    for flags in [4, 8, 64, 128, 256, 512, 1 << 31] {
        assert!(Translation::of(&source("a", flags, "UTF-8")).is_none(), "{flags}");
    }
    assert!(Translation::of(&source("a", 0, "UTF-16")).is_none());
    let joni = PatternSource { engine: PatternEngine::Joni, ..source("a", 0, "UTF-8") };
    assert!(Translation::of(&joni).is_none());
}

#[test]
fn a_regular_pattern_means_what_it_means_in_java() {
    let latin = |text: &str, bytes: &[u8]| occurs(text, 0, "ISO-8859-1", bytes);
    assert!(latin("^.user1$", b"\x80user1") && !latin("^\\w", b"\xe9"));
    assert!(
        !latin("a.b", b"a\x85b")
            && !latin("a.b", b"a\rb")
            && latin("(?s)a.b", b"a\x85b")
            && latin("(?d)a.b", b"a\rb")
    );
    assert!(latin("b$", b"b\n") && latin("b$", b"b\r\n") && latin("b$", b"b\x85") && !latin("b$", b"b\n\n"));
    assert!(!latin("b\r$", b"b\r\n") && latin("b\r\n$", b"b\r\n") && latin("^$", b"\n") && latin("", b""));
    assert!(latin("(?s)^.{2}(?:.{3})*\\Q\x00\u{80}.\\E(?:.{3})*$", b"\xff\xffabc\x00\x80.xyz"));
    assert!(!latin("(?s)^.{2}(?:.{3})*\\Q\x00\u{80}.\\E(?:.{3})*$", b"\xff\xffabcd\x00\x80.xyz"));
    assert!(latin("(?i)[x-z]Q", b"Yq") && !latin("(?i)\u{e9}", b"\xc9"));
    assert!(latin("[^-\\d]", b"-7a") && !latin("[^-\\d]", b"-7"));

    assert!(occurs("a.b", 0, "US-ASCII", b"a\x85b") && !occurs("[\u{85}]", 0, "US-ASCII", b"\x85"));
    assert!(occurs("^[^a]b$", 0, "US-ASCII", b"\xffb") && !occurs("b$", 0, "US-ASCII", b"b\x85"));

    assert!(
        occurs("^a.b$", 0, "UTF-8", "a\u{1f600}b".as_bytes())
            && !occurs("a.b", 0, "UTF-8", "a\u{2028}b".as_bytes())
    );
    assert!(
        occurs("b$", 0, "UTF-8", "b\u{2028}".as_bytes()) && occurs("b$", 0, "UTF-8", "b\u{85}".as_bytes())
    );
    assert_eq!(search("b$", 0, "UTF-8", b"b\xff"), Occurrence::Unknown);
}

#[test]
fn bytes_that_are_no_utf8_are_decided_by_the_compiler() {
    let (compiler, context) = even();
    let pattern = Pattern::new(source("a", 0, "UTF-8"), &context).unwrap();
    assert!(pattern.occurs_in(b"xa") && !pattern.occurs_in(b"xx"));
    assert_eq!(compiler.live.load(Ordering::Relaxed), 0, "compiled without need");
    assert!(pattern.occurs_in(b"\xff\xff") && !pattern.occurs_in(b"\xff"));
    assert_eq!(compiler.live.load(Ordering::Relaxed), 1);
    drop(pattern);
    assert_eq!(compiler.live.load(Ordering::Relaxed), 0);
}

#[test]
fn a_failure_is_kept_and_nothing_is_asked_after_it() {
    let (compiler, context) = even();
    let pattern = Pattern::new(source("(?=a)", 0, "UTF-8"), &context).unwrap();
    assert!(pattern.occurs_in(b"even") && !context.failure.is_set());
    assert!(!pattern.occurs_in(b"") && context.failure.is_set());
    let asked = compiler.asked.load(Ordering::Relaxed);
    assert!(!pattern.occurs_in(b"even"));
    assert_eq!(compiler.asked.load(Ordering::Relaxed), asked);
    drop(pattern);
    assert_eq!(compiler.live.load(Ordering::Relaxed), 0);
    assert_eq!(Pattern::new(source("(?=invalid)", 0, "UTF-8"), &context).err().unwrap().message, "invalid");
}

#[test]
fn a_thread_that_may_not_wait_only_runs_what_needs_no_compiler() {
    let (compiler, mut context) = even();
    context.may_wait = false;
    let kind = |source| Pattern::new(source, &context).err().map(|e| e.kind);
    assert_eq!(kind(source("a", 0, "ISO-8859-1")), None);
    assert_eq!(kind(source("a", 0, "US-ASCII")), None);
    assert_eq!(kind(source("a", 0, "UTF-8")), Some(ErrorKind::WouldBlock));
    assert_eq!(kind(source("(?=a)", 0, "ISO-8859-1")), Some(ErrorKind::WouldBlock));
    assert_eq!(compiler.live.load(Ordering::Relaxed), 0);
}

/// A search that tries everything, over characters as Java has them, to check the automaton by.
struct Search<'t> {
    text: &'t [u32],
    unix_lines: bool,
}

impl Search<'_> {
    fn occurs(&self, regular: &RegularPattern) -> bool {
        regular.branches.iter().any(|branch| {
            let starts = if branch.at_start { 0..=0 } else { 0..=self.text.len() };
            starts.into_iter().any(|start| {
                let ends = self.ends(&branch.node, vec![start]);
                ends.into_iter().any(|end| !branch.at_end || self.is_end(end))
            })
        })
    }

    /// Where a match can end that begins at one of the places.
    fn ends(&self, node: &Node, starts: Vec<usize>) -> Vec<usize> {
        let mut ends = match node {
            Node::Set(set) => starts
                .into_iter()
                .filter(|at| self.text.get(*at).is_some_and(|c| contains(set, *c)))
                .map(|at| at + 1)
                .collect(),
            Node::Sequence(nodes) => nodes.iter().fold(starts, |places, node| self.ends(node, places)),
            Node::Choice(nodes) => nodes.iter().flat_map(|node| self.ends(node, starts.clone())).collect(),
            Node::Repeat { node, min, max } => {
                let mut reached = Vec::new();
                let mut places = starts;
                let mut count = 0;
                while !places.is_empty() && max.is_none_or(|max| count <= max) {
                    if count >= *min {
                        reached.extend(&places);
                    }
                    places = self.ends(node, places);
                    count += 1;
                }
                reached
            }
        };
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// `java.util.regex.Pattern.Dollar`.
    fn is_end(&self, at: usize) -> bool {
        let is_terminator = |c: u32| matches!(c, 0x0a | 0x0d | 0x85 | 0x2028 | 0x2029);
        match self.text.get(at..).unwrap_or_default() {
            [] => true,
            [only] if self.unix_lines => *only == 0x0a,
            [0x0a] => at == 0 || self.text[at - 1] != 0x0d,
            [only] => is_terminator(*only),
            [0x0d, 0x0a] => !self.unix_lines,
            _ => false,
        }
    }
}

fn contains(set: &Set, character: u32) -> bool {
    match u8::try_from(character) {
        Ok(low) => set.has(low),
        Err(_) => match set.beyond {
            Beyond::None => false,
            Beyond::All => true,
            Beyond::NoLineEnds => !matches!(character, 0x2028 | 0x2029),
        },
    }
}

fn characters(charset: Charset, bytes: &[u8]) -> Option<Vec<u32>> {
    Some(match charset {
        Charset::Latin1 => bytes.iter().map(|b| u32::from(*b)).collect(),
        Charset::Ascii => bytes.iter().map(|b| if *b < 0x80 { u32::from(*b) } else { 0xfffd }).collect(),
        Charset::Utf8 => std::str::from_utf8(bytes).ok()?.chars().map(u32::from).collect(),
    })
}

fn random_pattern(random: &mut Random, depth: u32) -> String {
    let atoms = [
        "a",
        "b",
        "A",
        ".",
        "\\d",
        "\\W",
        "\\S",
        "[ab]",
        "[^a]",
        "[a-c-]",
        "\\Q.a\\E",
        "\\n",
        "\\x0d",
        "\u{85}",
        "\u{e9}",
        "\\.",
        "[\\s\\x80-\\xff]",
    ];
    let mut text = String::new();
    for _ in 0..1 + random.below(4) {
        if depth < 2 && random.one_in(4) {
            let inner = random_pattern(random, depth + 1);
            let other = random_pattern(random, depth + 1);
            let group = if random.one_in(2) { "(?:" } else { "(" };
            text.push_str(&if random.one_in(2) {
                format!("{group}{inner})")
            } else {
                format!("{group}{inner}|{other})")
            });
        } else {
            text.push_str(atoms[random.below(atoms.len() as u64) as usize]);
        }
        if random.one_in(3) {
            let quantifiers = ["*", "+", "?", "{2}", "{1,}", "{0,2}?", "*?", "+?"];
            text.push_str(quantifiers[random.below(quantifiers.len() as u64) as usize]);
        }
    }
    text
}

/// Random regular patterns on random bytes against a search that tries everything.
#[test]
fn a_translation_answers_what_a_search_by_trying_does() {
    let seed = std::process::id().into();
    let mut random = Random::new(seed);
    let pieces: [&[u8]; 13] = [
        b"a",
        b"b",
        b"c",
        b"A",
        b"7",
        b".",
        b"-",
        b"\n",
        b"\r",
        b"\xc2\x85",
        b"\x85",
        b"\xe2\x80\xa8",
        b"\xf0\x9f\x98\x80",
    ];
    let (mut regular_ones, mut found, mut searched) = (0, 0, 0);
    for _ in 0..6000 {
        let mut text = random_pattern(&mut random, 0);
        if random.one_in(3) {
            text.insert(0, '^');
        }
        if random.one_in(3) {
            text.push('$');
        }
        let flags = [0, DOTALL, CASE_INSENSITIVE, UNIX_LINES, LITERAL][random.below(5) as usize];
        let name = ["ISO-8859-1", "US-ASCII", "UTF-8"][random.below(3) as usize];
        let source = source(&text, flags, name);
        let Some(regular) = RegularPattern::parse(&source) else { continue };
        let translation = Translation::of(&source).unwrap();
        regular_ones += 1;
        for _ in 0..8 {
            let bytes: Vec<u8> =
                (0..random.below(7)).flat_map(|_| pieces[random.below(13) as usize].to_vec()).collect();
            let expected = match characters(Charset::of(name).unwrap(), &bytes) {
                Some(text) => {
                    Occurrence::from(Search { text: &text, unix_lines: regular.unix_lines }.occurs(&regular))
                }
                None => Occurrence::Unknown,
            };
            assert_eq!(
                translation.search(&bytes),
                expected,
                "seed {seed}: {text:?} {flags} {name} {bytes:x?}"
            );
            found += u32::from(expected == Occurrence::Occurs);
            searched += 1;
        }
    }
    assert!(
        regular_ones > 1000 && found > searched / 20 && found < searched * 19 / 20,
        "{regular_ones} {found} {searched}"
    );
}
