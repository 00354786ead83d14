package org.grampus.mapreduce.row;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.TableMapping;
import org.grampus.mapreduce.source.CellColumns;
import org.grampus.mapreduce.source.RecordShape;
import org.grampus.mapreduce.source.SourceRecord;

/** Cells as they are, of a list of them. */
final class WholeCells implements RowCells {
  private static final ColumnType BYTES = ColumnType.of("bytes", new Times(null));

  private final FieldIndex index = new FieldIndex(List.of(CellColumns.CELLS));
  private final boolean overridesTimestamps;
  private final Times times;

  /** Null for all columns. */
  private final List<TableMapping.NamedColumn> wanted;

  WholeCells(RowOptions options) {
    this(options, List.of());
  }

  /**
   * Cells of some columns.
   *
   * @param wanted none for all
   */
  WholeCells(RowOptions options, List<TableMapping.NamedColumn> wanted) {
    this.overridesTimestamps = options.overridesTimestamps();
    this.times = new Times(options.zone());
    this.wanted = wanted.isEmpty() ? null : wanted;
  }

  @Override
  public void add(SourceRecord record, Put row) throws BadValueException, MissingColumnException {
    int place = index.of(record.shape())[0];
    Object cells = place < 0 ? null : record.values()[place];
    if (!(cells instanceof List<?> list)) {
      throw new BadValueException("it has no list " + CellColumns.CELLS);
    }
    Newest newest = new Newest();
    for (Object cell : list) {
      if (!(cell instanceof Map<?, ?> fields)) {
        throw new BadValueException(TextForm.shown(cell) + " is no cell");
      }
      add(fields, row, newest);
    }
    newest.addTo(row);
  }

  /** Versions of a column that get one timestamp are one cell: the newest of them. One row. */
  private static final class Newest {
    /** A version as the record has it. */
    @SuppressWarnings("ArrayRecordComponent") // versions are not compared
    private record Version(byte[] family, byte[] qualifier, long timestamp, byte[] value) {}

    private final Map<String, Version> columns = new LinkedHashMap<>();

    void add(Version version) {
      String column =
          Bytes.toStringBinary(version.family()) + ":" + Bytes.toStringBinary(version.qualifier());
      columns.merge(
          column, version, (known, added) -> added.timestamp() > known.timestamp() ? added : known);
    }

    void addTo(Put row) {
      for (Version version : columns.values()) {
        row.addColumn(version.family(), version.qualifier(), row.getTimestamp(), version.value());
      }
    }
  }

  private void add(Map<?, ?> cell, Put row, Newest newest) throws BadValueException {
    byte[] family = BYTES.encode(field(cell, CellColumns.FAMILY));
    byte[] qualifier = BYTES.encode(field(cell, CellColumns.QUALIFIER));
    long type = Numbers.integer(field(cell, CellColumns.TYPE), Byte.SIZE, CellColumns.TYPE);
    if (type != KeyValue.Type.Put.getCode()) {
      throw new BadValueException(
          "it has a delete marker (type " + type + "), which an import does not write");
    }
    if (isWanted(family, qualifier)) {
      long timestamp = CellTime.of(field(cell, CellColumns.TIMESTAMP), times);
      byte[] value = BYTES.encode(field(cell, CellColumns.VALUE));
      if (overridesTimestamps) {
        newest.add(new Newest.Version(family, qualifier, timestamp, value));
      } else {
        row.addColumn(family, qualifier, timestamp, value);
      }
    }
  }

  private static Object field(Map<?, ?> cell, String name) throws BadValueException {
    Object value = cell.get(name);
    if (value == null) {
      throw new BadValueException("a cell has no " + name);
    }
    return value;
  }

  private boolean isWanted(byte[] family, byte[] qualifier) {
    return wanted == null
        || wanted.stream()
            .anyMatch(
                column ->
                    Bytes.equals(column.family(), family)
                        && Bytes.equals(column.qualifier(), qualifier));
  }

  @Override
  public Set<String> columns() {
    return new HashSet<>(List.of(CellColumns.CELLS));
  }

  @Override
  public List<byte[]> families(RecordShape shape) {
    return wanted == null
        ? List.of()
        : wanted.stream().map(TableMapping.NamedColumn::family).toList();
  }
}
