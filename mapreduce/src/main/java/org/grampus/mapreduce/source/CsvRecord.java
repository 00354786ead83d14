package org.grampus.mapreduce.source;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The bytes of one record of a CSV file, and its fields; used again for the next record. */
final class CsvRecord {
  private static final int BYTES_AT_FIRST = 4096;
  private static final int FIELDS_AT_FIRST = 64;

  private final Utf8 utf8 = new Utf8();
  private byte[] raw = new byte[BYTES_AT_FIRST];
  private int rawLength;
  private byte[] content = new byte[BYTES_AT_FIRST];
  private int contentLength;

  /** Where the content of each field ends. */
  private int[] ends = new int[FIELDS_AT_FIRST];

  private boolean[] quoted = new boolean[FIELDS_AT_FIRST];
  private int fields;

  void clear() {
    rawLength = 0;
    contentLength = 0;
    fields = 0;
  }

  int length() {
    return rawLength;
  }

  /** Takes a byte of the record, of a value or not. */
  void append(byte next, boolean ofValue) {
    if (rawLength == raw.length) {
      raw = Arrays.copyOf(raw, 2 * raw.length);
    }
    raw[rawLength++] = next;
    if (ofValue) {
      if (contentLength == content.length) {
        content = Arrays.copyOf(content, 2 * content.length);
      }
      content[contentLength++] = next;
    }
  }

  void endField(boolean hasQuotes) {
    if (fields == ends.length) {
      ends = Arrays.copyOf(ends, 2 * fields);
      quoted = Arrays.copyOf(quoted, 2 * fields);
    }
    ends[fields] = contentLength;
    quoted[fields++] = hasQuotes;
  }

  int fields() {
    return fields;
  }

  /** The values; null is an empty field without quotes. */
  String[] values() throws CharacterCodingException {
    String[] values = new String[fields];
    int begin = 0;
    for (int i = 0; i < fields; i++) {
      if (ends[i] > begin || quoted[i]) {
        values[i] = utf8.text(content, begin, ends[i] - begin);
      }
      begin = ends[i];
    }
    return values;
  }

  /** The values as the names of columns. */
  List<String> names() throws CharacterCodingException {
    List<String> names = new ArrayList<>();
    for (String name : values()) {
      names.add(name == null ? "" : name);
    }
    return List.copyOf(names);
  }

  /** The record as it stands, without its end of line. */
  String raw() {
    return new String(raw, 0, rawLength, StandardCharsets.UTF_8);
  }
}
