//! RegexStringComparator: whether a pattern occurs in bytes, as `java.util.regex` or Joni answer it.
//!
//! A pattern of regular form ([`syntax`]) is translated into an automaton that gives Java's answer in time linear in the bytes. All
//! others, and bytes that are no UTF-8 under that charset, are decided by [`PatternCompiler`], which is Java itself in the server.
//! What goes wrong there is kept in the [`Failure`] of the filter tree, since comparisons have no way to say it.

mod charset;
mod failure;
mod syntax;
mod translation;

use std::cell::OnceCell;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::ByteReader;

pub use self::failure::Failure;
use self::translation::{Occurrence, Translation};

/// `EngineType` of a RegexStringComparator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum PatternEngine {
    /// `java.util.regex` over the bytes decoded by the charset.
    Java = 0,
    /// Joni over the bytes.
    Joni = 1,
}

/// What a client sent.
#[derive(Clone, Debug)]
pub struct PatternSource {
    /// The regular expression.
    pub text: String,
    /// Flags of `java.util.regex.Pattern`.
    pub flags: u32,
    /// Canonical name of a charset of the JVM.
    pub charset: String,
    /// What decides.
    pub engine: PatternEngine,
}

/// Compiles the patterns that the engine does not decide itself.
pub trait PatternCompiler: Send + Sync {
    /// Compiles a pattern. An invalid one is a `BadRequest`.
    fn compile(&self, source: &PatternSource) -> Result<Box<dyn CompiledPattern>>;
}

/// A compiled pattern; its compiler's memory is released when it is dropped.
pub trait CompiledPattern: Send {
    /// Whether the pattern occurs. An answer that takes too long is a `BadRequest`.
    fn find(&self, bytes: &[u8]) -> Result<bool>;
}

/// The compiler of an engine that has none: only patterns of regular form can be used.
pub struct NoPatternCompiler;

impl PatternCompiler for NoPatternCompiler {
    fn compile(&self, source: &PatternSource) -> Result<Box<dyn CompiledPattern>> {
        let text = &source.text;
        Err(bad(format!(
            "RegexStringComparator: pattern {text:?} needs java.util.regex, which this engine was opened without"
        )))
    }
}

/// What the patterns of one filter tree share.
pub struct PatternContext {
    /// The engine's compiler.
    pub compiler: Arc<dyn PatternCompiler>,
    /// False on threads that may not wait; a pattern that may need its compiler is then `WouldBlock`.
    pub may_wait: bool,
    /// What went wrong.
    pub failure: Arc<Failure>,
}

impl PatternContext {
    /// A context for one filter tree.
    pub fn new(compiler: &Arc<dyn PatternCompiler>, may_wait: bool) -> PatternContext {
        PatternContext { compiler: Arc::clone(compiler), may_wait, failure: Arc::default() }
    }

    /// Where a comparator that may fail says so.
    pub(crate) fn expect_failure(&self) -> Arc<Failure> {
        self.failure.expect();
        Arc::clone(&self.failure)
    }
}

/// A pattern of a comparator.
pub(crate) struct Pattern {
    source: PatternSource,
    translation: Option<Translation>,
    compiler: Arc<dyn PatternCompiler>,
    compiled: OnceCell<Box<dyn CompiledPattern>>,
    failure: Arc<Failure>,
}

fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadRequest, message)
}

impl Pattern {
    /// Reads `bytes pattern | u32 flags | bytes charset | u8 engine`.
    pub(crate) fn decode(reader: &mut ByteReader<'_>, context: &PatternContext) -> Result<Pattern> {
        let text = utf8(reader.bytes("a pattern")?, "pattern")?;
        let flags = reader.u32("pattern flags")?;
        let charset = utf8(reader.bytes("a charset")?, "charset")?;
        let engine = match reader.u8("a pattern engine")? {
            0 => PatternEngine::Java,
            1 => PatternEngine::Joni,
            other => return Err(bad(format!("unknown pattern engine {other}"))),
        };
        Pattern::new(PatternSource { text, flags, charset, engine }, context)
    }

    /// Translates the pattern, or compiles it where it cannot be translated.
    pub(crate) fn new(source: PatternSource, context: &PatternContext) -> Result<Pattern> {
        let translation = Translation::of(&source);
        let alone = translation.as_ref().is_some_and(Translation::decides_all_bytes);
        if !alone && !context.may_wait {
            return Err(Error::would_block());
        }
        let compiled = OnceCell::new();
        if translation.is_none() {
            let _ = compiled.set(context.compiler.compile(&source)?);
        }
        if !alone {
            context.failure.expect();
        }
        let (compiler, failure) = (Arc::clone(&context.compiler), Arc::clone(&context.failure));
        Ok(Pattern { source, translation, compiler, compiled, failure })
    }

    /// Whether the pattern occurs in the bytes. False from the first failure on, which ends the read.
    pub(crate) fn occurs_in(&self, bytes: &[u8]) -> bool {
        match self.translation.as_ref().map_or(Occurrence::Unknown, |translation| translation.search(bytes)) {
            Occurrence::Occurs => true,
            Occurrence::Absent => false,
            Occurrence::Unknown if self.failure.is_set() => false,
            Occurrence::Unknown => self.ask(bytes).unwrap_or_else(|error| {
                self.failure.set(error);
                false
            }),
        }
    }

    fn ask(&self, bytes: &[u8]) -> Result<bool> {
        self.failure.note_search();
        if let Some(compiled) = self.compiled.get() {
            return compiled.find(bytes);
        }
        let compiled = self.compiler.compile(&self.source)?;
        let found = compiled.find(bytes);
        let _ = self.compiled.set(compiled);
        found
    }
}

fn utf8(bytes: &[u8], noun: &str) -> Result<String> {
    String::from_utf8(bytes.to_vec())
        .map_err(|_| bad(format!("RegexStringComparator: the {noun} is no UTF-8")))
}

#[cfg(test)]
mod tests;
