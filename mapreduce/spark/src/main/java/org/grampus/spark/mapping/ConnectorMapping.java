package org.grampus.spark.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The mapping of HBase's own connector, {@code hbase.columns.mapping}: {@code "id STRING :key, temp
 * DOUBLE f:t"}.
 */
public final class ConnectorMapping {
  private static final Map<String, Kind> TYPES =
      Map.ofEntries(
          Map.entry("STRING", Kind.STRING),
          Map.entry("BINARY", Kind.BYTES),
          Map.entry("BYTE", Kind.BYTE),
          Map.entry("TINYINT", Kind.BYTE),
          Map.entry("SHORT", Kind.SHORT),
          Map.entry("SMALLINT", Kind.SHORT),
          Map.entry("INT", Kind.INT),
          Map.entry("INTEGER", Kind.INT),
          Map.entry("LONG", Kind.LONG),
          Map.entry("BIGINT", Kind.LONG),
          Map.entry("FLOAT", Kind.FLOAT),
          Map.entry("DOUBLE", Kind.DOUBLE),
          Map.entry("BOOLEAN", Kind.BOOLEAN),
          Map.entry("TIMESTAMP", Kind.TIMESTAMP));

  private ConnectorMapping() {}

  /**
   * Parses it.
   *
   * @throws IllegalArgumentException with a sentence that names the part that is wrong
   */
  public static Mapping parse(String text) {
    Column key = null;
    List<Column> columns = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Column column = column(part.strip());
      if (!column.isKey()) {
        columns.add(column);
      } else if (key == null) {
        key = column;
      } else {
        throw new IllegalArgumentException("hbase.columns.mapping has two row keys");
      }
    }
    if (key == null) {
      throw new IllegalArgumentException(
          "hbase.columns.mapping has no row key; write NAME TYPE :key");
    }
    return new Mapping(key, columns);
  }

  private static Column column(String part) {
    String[] words = part.split("\\s+", -1);
    int colon = words.length == 3 ? words[2].indexOf(':') : -1;
    if (colon < 0) {
      throw new IllegalArgumentException(
          "\"" + part + "\" of hbase.columns.mapping is not NAME TYPE FAMILY:QUALIFIER");
    }
    Kind kind = TYPES.get(words[1].toUpperCase(Locale.ROOT));
    if (kind == null) {
      throw new IllegalArgumentException(
          "the type " + words[1] + " of hbase.columns.mapping is not supported; write columns");
    }
    String family = words[2].substring(0, colon);
    String qualifier = words[2].substring(colon + 1);
    if (family.isEmpty()) {
      return new Column(null, null, words[0], ColumnType.of(kind), false);
    }
    return new Column(
        Escapes.parse(family), Escapes.parse(qualifier), words[0], ColumnType.of(kind), false);
  }
}
