package org.grampus.spark.mapping;

import java.io.Serializable;

/**
 * A column of a table as a field, or two.
 *
 * @param family of its cells; null for the row key
 * @param qualifier of its cells; null for the row key
 * @param name of the field
 * @param type of its values
 * @param withTimestamp whether a second field, of the name {@link #timestampName}, has the
 *     timestamps of the cells
 */
@SuppressWarnings("ArrayRecordComponent") // compared by none; as HBase's own classes have it
public record Column(
    byte[] family, byte[] qualifier, String name, ColumnType type, boolean withTimestamp)
    implements Serializable {
  /** Whether it is the row key. */
  public boolean isKey() {
    return family == null;
  }

  /** Name of the field of its timestamps. */
  public String timestampName() {
    return name + "_ts";
  }

  /** With or without its timestamps. */
  Column withTimestamp(boolean wanted) {
    return new Column(family, qualifier, name, type, wanted);
  }

  /** As a mapping has it. */
  @Override
  public String toString() {
    String source = isKey() ? Mapping.KEY : Escapes.text(family) + ":" + Escapes.text(qualifier);
    return source + "=" + name + ":" + type + (withTimestamp ? "+ts" : "");
  }
}
