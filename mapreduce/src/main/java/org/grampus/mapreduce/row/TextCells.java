package org.grampus.mapreduce.row;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.mapreduce.source.CellColumns;
import org.grampus.mapreduce.source.RecordShape;
import org.grampus.mapreduce.source.SourceRecord;

/**
 * A cell of text for each column that has one: {@code family:qualifier} where a name has a colon,
 * otherwise the name in the family of the options. What is empty has no cell.
 */
final class TextCells implements RowCells {
  /** A column of the table. */
  private record Target(byte[] family, byte[] qualifier) {
    @Override
    public String toString() {
      return Bytes.toString(family) + ":" + Bytes.toString(qualifier);
    }
  }

  private final byte[] family;

  /** Whether a column is the row key, and nothing else. */
  private final boolean keyIsColumn;

  private RecordShape shape;
  private List<Target> targets;

  /** What says that two columns of the shape are one cell, or null. */
  private String collision;

  TextCells(RowOptions options) {
    this.family = Bytes.toBytes(options.family());
    this.keyIsColumn = options.key() == null;
  }

  @Override
  public void add(SourceRecord record, Put row) throws BadValueException, MissingColumnException {
    List<Target> columns = targets(record.shape());
    requireNoCollision(record.shape());
    for (int i = 0; i < columns.size(); i++) {
      Target column = columns.get(i);
      Object value = record.values()[i];
      if (column == null || value == null) {
        continue;
      }
      byte[] bytes = value instanceof byte[] own ? own : text(value, record.shape().names().get(i));
      if (bytes.length > 0) {
        row.addColumn(column.family(), column.qualifier(), row.getTimestamp(), bytes);
      }
    }
  }

  private static byte[] text(Object value, String column) throws BadValueException {
    try {
      return TextForm.of(value).getBytes(StandardCharsets.UTF_8);
    } catch (BadValueException e) {
      throw e.in(column);
    }
  }

  @SuppressWarnings("ReferenceEquality") // a source keeps one shape for many records
  private List<Target> targets(RecordShape ofRecord) {
    if (ofRecord != shape) {
      resolve(ofRecord);
      shape = ofRecord;
    }
    return targets;
  }

  private void resolve(RecordShape ofRecord) {
    targets = new ArrayList<>();
    collision = null;
    Map<String, String> cells = new HashMap<>();
    for (String name : ofRecord.names()) {
      Target target = target(name);
      targets.add(target);
      String cell = target == null ? name : target.toString();
      String other = cells.put(cell, name);
      if (other != null) {
        collision =
            "the columns "
                + other
                + " and "
                + name
                + " are both the cell "
                + cell
                + "; leave one out with --columns";
      }
    }
  }

  /** One of the two values would be lost. */
  private void requireNoCollision(RecordShape ofRecord)
      throws BadValueException, MissingColumnException {
    if (collision == null) {
      return;
    }
    if (ofRecord.ofFile()) {
      throw new MissingColumnException(collision);
    }
    throw new BadValueException(collision);
  }

  private Target target(String name) {
    if (keyIsColumn && name.equals(CellColumns.KEY)) {
      return null;
    }
    int colon = name.indexOf(':');
    return colon <= 0
        ? new Target(family, Bytes.toBytes(name))
        : new Target(
            Bytes.toBytes(name.substring(0, colon)), Bytes.toBytes(name.substring(colon + 1)));
  }

  @Override
  public Set<String> columns() {
    return null;
  }

  @Override
  public List<byte[]> families(RecordShape ofRecord) {
    return targets(ofRecord).stream().filter(t -> t != null).map(Target::family).toList();
  }
}
