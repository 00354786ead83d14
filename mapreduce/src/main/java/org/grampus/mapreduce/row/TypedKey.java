package org.grampus.mapreduce.row;

import java.util.List;
import org.grampus.mapreduce.source.SourceRecord;

/** A column whose value is the row key, of a type. */
final class TypedKey implements RowKeys {
  private final String name;
  private final ColumnType type;
  private final FieldIndex index;

  TypedKey(String name, ColumnType type) {
    this.name = name;
    this.type = type;
    this.index = new FieldIndex(List.of(name));
  }

  @Override
  public byte[] of(SourceRecord record) throws BadValueException, MissingColumnException {
    int place = place(record);
    Object value = place < 0 ? null : record.values()[place];
    try {
      return value == null ? null : type.encode(value);
    } catch (BadValueException e) {
      throw e.in(name);
    }
  }

  private int place(SourceRecord record) throws MissingColumnException {
    try {
      return index.of(record.shape())[0];
    } catch (MissingColumnException e) {
      throw new MissingColumnException(
          e.getMessage() + "; --key says of which columns the row key is made");
    }
  }

  @Override
  public List<String> columns() {
    return List.of(name);
  }
}
