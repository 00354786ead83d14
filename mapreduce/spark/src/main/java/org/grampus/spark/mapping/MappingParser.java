package org.grampus.spark.mapping;

import java.util.ArrayList;
import java.util.List;

/**
 * Parses the text of a mapping (docs/downloads.md, "Columns") as the engine does, for readers that
 * have no native library.
 */
final class MappingParser {
  private static final String KEY_NAME = "rowkey";
  private static final String WITH_TIMESTAMP = "+ts";

  private Column key;
  private final List<Column> columns = new ArrayList<>();

  private MappingParser() {}

  static Mapping parse(String text) {
    MappingParser parser = new MappingParser();
    int number = 0;
    for (String part : parts(text)) {
      number++;
      try {
        parser.add(part);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "part " + number + " of the columns, \"" + part + "\": " + e.getMessage(), e);
      }
    }
    Column usual = new Column(null, null, KEY_NAME, ColumnType.BYTES, false);
    return new Mapping(parser.key == null ? usual : parser.key, parser.columns);
  }

  /** The parts between commas; one in the parentheses of a type separates nothing. */
  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    int separators = 0; // 0 before the name, 1 in it, 2 in the type
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ',' && depth == 0) {
        parts.add(text.substring(start, i).strip());
        start = i + 1;
        separators = 0;
      } else if ((c == '=' && separators == 0) || (c == ':' && separators == 1)) {
        separators++;
      } else if (separators == 2 && c == '(') {
        depth++;
      } else if (separators == 2 && c == ')' && depth > 0) {
        depth--;
      }
    }
    parts.add(text.substring(start).strip());
    return parts;
  }

  private void add(String part) {
    int equals = part.indexOf('=');
    String source = (equals < 0 ? part : part.substring(0, equals)).strip();
    String target = equals < 0 ? null : part.substring(equals + 1);
    if (source.equals("*")) {
      throw new IllegalArgumentException(
          "all cells as they are have no fields for Spark; name the columns, or take a download");
    }
    if (source.equals(Mapping.NO_KEY)) {
      throw new IllegalArgumentException(
          "a query that does not need the row key goes without it; leave "
              + Mapping.NO_KEY
              + " out");
    }
    if (source.isEmpty()) {
      throw new IllegalArgumentException("there is no column; write family:qualifier");
    }
    if (source.equals(Mapping.KEY)) {
      addKey(target);
    } else {
      columns.add(column(source, target));
    }
  }

  private void addKey(String target) {
    if (key != null) {
      throw new IllegalArgumentException("the row key is there twice");
    }
    key = target(null, null, KEY_NAME, target);
    if (key.withTimestamp()) {
      throw new IllegalArgumentException("a row key has no timestamp");
    }
  }

  private static Column column(String source, String target) {
    int colon = source.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException(
          "there is no colon between family and qualifier; write family:qualifier");
    }
    byte[] family = Escapes.parse(source.substring(0, colon).strip());
    byte[] qualifier = Escapes.parse(source.substring(colon + 1).strip());
    if (family.length == 0) {
      throw new IllegalArgumentException("the family is empty; the row key is " + Mapping.KEY);
    }
    return target(family, qualifier, Escapes.name(family, qualifier), target);
  }

  private static Column target(byte[] family, byte[] qualifier, String usual, String target) {
    if (target == null) {
      return new Column(family, qualifier, usual, ColumnType.BYTES, false);
    }
    int colon = target.indexOf(':');
    if (colon < 0) {
      String name = target.strip();
      if (name.endsWith(WITH_TIMESTAMP)) {
        throw new IllegalArgumentException("+ts stands behind a type");
      }
      return new Column(family, qualifier, name, ColumnType.BYTES, false);
    }
    String type = target.substring(colon + 1).strip();
    boolean stamps = type.endsWith(WITH_TIMESTAMP);
    String bare = stamps ? type.substring(0, type.length() - WITH_TIMESTAMP.length()) : type;
    String name = target.substring(0, colon).strip();
    return new Column(family, qualifier, name, ColumnType.parse(bare.strip()), stamps);
  }
}
