package org.grampus.mapreduce.source;

/**
 * A record of a file. Values are null or
 *
 * <ul>
 *   <li>{@link String}: printed text of a field, of text formats;
 *   <li>{@code byte[]}: bytes, or the UTF-8 of a text, as they are;
 *   <li>{@link Long}, {@link Float}, {@link Double}, {@link Boolean}, {@link java.math.BigDecimal},
 *       {@link java.time.Instant}, {@link java.time.LocalDateTime} of a time without a zone;
 *   <li>{@link java.util.List}: what is nested. Of a column of cells its elements are maps from
 *       names to values.
 * </ul>
 *
 * @param shape the columns; null when there is a problem
 * @param values of the columns; null when there is a problem
 * @param problem why this is no record, as the end of a sentence; null when it is one
 */
@SuppressWarnings("ArrayRecordComponent") // records of files are not compared
public record SourceRecord(RecordShape shape, Object[] values, String problem) {
  static SourceRecord of(RecordShape shape, Object[] values) {
    return new SourceRecord(shape, values, null);
  }

  /** What cannot be read as a record, while the next one can. */
  static SourceRecord bad(String problem) {
    return new SourceRecord(null, null, problem);
  }
}
