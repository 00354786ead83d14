package org.grampus.mapreduce.row;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.Put;
import org.grampus.engine.EngineException;
import org.grampus.engine.NativeTableFile;
import org.grampus.engine.TableMapping;
import org.grampus.mapreduce.source.CellColumns;
import org.grampus.mapreduce.source.RecordShape;
import org.grampus.mapreduce.source.SourceRecord;

/** Makes rows of records. One thread. */
public final class RowMaker {
  private static final String KEY_TYPE = "bytes";

  private final RowKeys keys;
  private final RowCells cells;
  private final RowOptions options;

  private RowMaker(RowKeys keys, RowCells cells, RowOptions options) {
    this.keys = keys;
    this.cells = cells;
    this.options = options;
  }

  /**
   * What makes rows as options say.
   *
   * @throws IllegalArgumentException with a sentence, when the mapping or the key cannot be
   */
  public static RowMaker of(RowOptions options) {
    if (options.columns() == null) {
      return new RowMaker(keys(options, null), new TextCells(options), options);
    }
    TableMapping mapping = mapping(options.columns());
    RowCells cells =
        mapping.allCells() ? new WholeCells(options) : new MappedCells(mapping, options);
    return new RowMaker(keys(options, mapping), cells, options);
  }

  /**
   * What makes rows of sequence files: cells as they are, of all columns or of those of a mapping.
   */
  public static RowMaker ofResults(RowOptions options) {
    RowCells cells = new WholeCells(options);
    if (options.columns() != null) {
      cells = new WholeCells(options, mapping(options.columns()).columns());
    }
    return new RowMaker(
        new TypedKey(CellColumns.KEY, ColumnType.of(KEY_TYPE, new Times(options.zone()))),
        cells,
        options);
  }

  private static TableMapping mapping(String columns) {
    try {
      return NativeTableFile.mapping(columns);
    } catch (EngineException e) {
      throw new IllegalArgumentException("--columns: " + e.getMessage(), e);
    }
  }

  private static RowKeys keys(RowOptions options, TableMapping mapping) {
    if (options.key() != null) {
      return KeyExpression.parse(options.key(), options.keySeparator());
    }
    if (mapping == null) {
      return new TypedKey(CellColumns.KEY, ColumnType.of(KEY_TYPE, new Times(options.zone())));
    }
    return new TypedKey(
        mapping.keyName(), ColumnType.of(mapping.keyType(), new Times(options.zone())));
  }

  /**
   * The row of a record.
   *
   * @throws BadValueException when there is none
   * @throws MissingColumnException when the record's file can have none
   */
  public Put row(SourceRecord record) throws BadValueException, MissingColumnException {
    byte[] key = keys.of(record);
    if (key == null || key.length == 0) {
      throw new BadValueException("its row key is empty");
    }
    if (key.length > Short.MAX_VALUE) {
      throw new BadValueException(
          "its row key has " + key.length + " bytes; there can be " + Short.MAX_VALUE);
    }
    Put row = new Put(key, options.timestamp());
    cells.add(record, row);
    if (row.isEmpty()) {
      throw new BadValueException("it has a row key and no value");
    }
    CellSizes.require(row, options.cellBytesMax());
    return row;
  }

  /** Columns that rows are made of, by name; null for all. */
  public Set<String> columns() {
    Set<String> all = cells.columns();
    if (all != null) {
      all.addAll(keys.columns());
    }
    return all;
  }

  /** Families of the cells of records with these columns, as far as columns say it. */
  public List<byte[]> families(RecordShape shape) {
    return cells.families(shape);
  }
}
