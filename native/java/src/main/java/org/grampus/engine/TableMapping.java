package org.grampus.engine;

import java.util.List;

/**
 * What the text of a mapping says (docs/downloads.md).
 *
 * @param keyName name of the row key's column; never null: a mapping without it is refused
 * @param keyType type of the row key, as the text has it
 * @param columns in the order of the text; none for a mapping of all cells
 * @param allCells whether the mapping takes all cells as they are
 */
public record TableMapping(
    String keyName, String keyType, List<NamedColumn> columns, boolean allCells) {

  /**
   * A column.
   *
   * @param family of the table
   * @param qualifier of the table; may be empty
   * @param name that the column has in files
   * @param columnType what its bytes mean, as the text has it
   * @param timestampName name of the column of its timestamps; null when there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // names are bytes, and these records are not compared
  public record NamedColumn(
      byte[] family,
      byte[] qualifier,
      String name,
      String columnType,
      @Absent String timestampName) {}
}
