package org.grampus.mapreduce.row;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.Put;
import org.grampus.engine.TableMapping;
import org.grampus.mapreduce.source.RecordShape;
import org.grampus.mapreduce.source.SourceRecord;

/** A cell for each column of a mapping that is not null in a record. */
final class MappedCells implements RowCells {
  private final List<TableMapping.NamedColumn> columns;
  private final List<ColumnType> types;
  private final FieldIndex index;
  private final Times times;
  private final boolean overridesTimestamps;

  MappedCells(TableMapping mapping, RowOptions options) {
    this.times = new Times(options.zone());
    this.columns = mapping.columns();
    this.types = columns.stream().map(column -> ColumnType.of(column.columnType(), times)).toList();
    this.index = new FieldIndex(names());
    this.overridesTimestamps = options.overridesTimestamps();
  }

  /** Names of values and, behind all of them, of timestamps; a value without one is there twice. */
  private List<String> names() {
    List<String> names = new ArrayList<>();
    columns.forEach(column -> names.add(column.name()));
    columns.forEach(
        column ->
            names.add(column.timestampName() == null ? column.name() : column.timestampName()));
    return names;
  }

  @Override
  public void add(SourceRecord record, Put row) throws BadValueException, MissingColumnException {
    int[] places = index.of(record.shape());
    for (int i = 0; i < columns.size(); i++) {
      TableMapping.NamedColumn column = columns.get(i);
      Object value = places[i] < 0 ? null : record.values()[places[i]];
      if (value == null) {
        continue;
      }
      try {
        byte[] bytes = types.get(i).encode(value);
        if (bytes != null) {
          int stamp = column.timestampName() == null ? -1 : places[columns.size() + i];
          long timestamp = timestamp(stamp < 0 ? null : record.values()[stamp], row);
          row.addColumn(column.family(), column.qualifier(), timestamp, bytes);
        }
      } catch (BadValueException e) {
        throw e.in(column.name());
      }
    }
  }

  private long timestamp(Object own, Put row) throws BadValueException {
    return own == null || overridesTimestamps ? row.getTimestamp() : CellTime.of(own, times);
  }

  @Override
  public Set<String> columns() {
    return new HashSet<>(names());
  }

  @Override
  public List<byte[]> families(RecordShape shape) {
    return columns.stream().map(TableMapping.NamedColumn::family).toList();
  }
}
