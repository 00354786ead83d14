package org.grampus.mapreduce.source;

/**
 * What each byte of a CSV file is (RFC 4180), from a beginning of a record on. Lines may end with
 * CR LF, LF or CR. A quote within a field that does not begin with one is a character like others.
 */
final class CsvMachine {
  /** What a byte is. */
  enum Meaning {
    /** A byte of a field's value. */
    CONTENT,
    /** A quote that is no part of a value, or the LF of CR LF. */
    NOTHING,
    /** Ends a field, and not the record. */
    FIELD_END,
    /** Ends the record and its last field. */
    RECORD_END
  }

  private enum State {
    RECORD_BEGIN,
    /** Behind CR, which has ended a record. */
    CR,
    FIELD_BEGIN,
    PLAIN,
    QUOTED,
    /** Behind a quote of a quoted field, which ends it unless another one follows. */
    QUOTE
  }

  private State state = State.RECORD_BEGIN;
  private boolean quoted;
  private boolean broken;

  /** Whether a record would begin with a byte. */
  boolean beginsRecord(byte next) {
    return state == State.RECORD_BEGIN || (state == State.CR && next != '\n');
  }

  /** Whether a record was begun and has not ended. */
  boolean isWithinRecord() {
    return state != State.RECORD_BEGIN && state != State.CR;
  }

  /** Whether a quote was opened and not closed. */
  boolean isQuoteOpen() {
    return state == State.QUOTED;
  }

  /** Whether the field that has ended, or is being read, has quotes. */
  boolean isQuoted() {
    return quoted;
  }

  /** Whether there was text between a closing quote and the end of its field, in this record. */
  boolean isBroken() {
    return broken;
  }

  /** Takes the next byte. */
  Meaning take(byte next) {
    switch (state) {
      case QUOTED:
        return inQuotes(next);
      case QUOTE:
        return behindQuote(next);
      case PLAIN:
        return plain(next);
      case CR:
        if (next == '\n') {
          state = State.RECORD_BEGIN;
          return Meaning.NOTHING;
        }
        break;
      default:
        break;
    }
    return begin(next);
  }

  private Meaning begin(byte next) {
    broken &= state == State.FIELD_BEGIN;
    quoted = next == '"';
    if (quoted) {
      state = State.QUOTED;
      return Meaning.NOTHING;
    }
    return plain(next);
  }

  private Meaning inQuotes(byte next) {
    if (next != '"') {
      return Meaning.CONTENT;
    }
    state = State.QUOTE;
    return Meaning.NOTHING;
  }

  private Meaning behindQuote(byte next) {
    if (next == '"') {
      state = State.QUOTED;
      return Meaning.CONTENT;
    }
    Meaning meaning = plain(next);
    broken |= meaning == Meaning.CONTENT;
    return meaning;
  }

  private Meaning plain(byte next) {
    switch (next) {
      case ',':
        state = State.FIELD_BEGIN;
        return Meaning.FIELD_END;
      case '\n':
        state = State.RECORD_BEGIN;
        return Meaning.RECORD_END;
      case '\r':
        state = State.CR;
        return Meaning.RECORD_END;
      default:
        state = State.PLAIN;
        return Meaning.CONTENT;
    }
  }
}
