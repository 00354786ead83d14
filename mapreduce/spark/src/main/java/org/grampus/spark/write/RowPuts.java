package org.grampus.spark.write;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.grampus.spark.mapping.Column;
import org.grampus.spark.mapping.Field;
import org.grampus.spark.mapping.Mapping;
import org.grampus.spark.mapping.Values;

/** Makes puts of rows. Immutable. */
final class RowPuts implements Serializable {
  private static final long serialVersionUID = 1;

  /** Where a column's value and its time are in a row; -1 = nowhere. */
  private record Place(Column column, int value, int time) implements Serializable {}

  private static final int NOWHERE = -1;

  private final Place key;
  private final ArrayList<Place> places;

  /** Of cells that no field gives a time. */
  private final long millis;

  private RowPuts(Place key, List<Place> places, long millis) {
    this.key = key;
    this.places = new ArrayList<>(places);
    this.millis = millis;
  }

  /** The same puts at a time, for cells that no field gives one. */
  RowPuts at(long time) {
    return new RowPuts(key, places, time);
  }

  /**
   * Puts of rows of a schema, at the time at which a server takes them unless a field gives one.
   *
   * @throws IllegalArgumentException when they have no row key, or a field that is not mapped
   */
  static RowPuts of(Mapping mapping, StructType schema) {
    List<String> names = Arrays.asList(schema.fieldNames());
    List<String> known = mapping.fields().stream().map(Field::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "the field " + name + " is no column of the table; its columns are " + known);
      }
    }
    int key = names.indexOf(mapping.key().name());
    if (key < 0) {
      throw new IllegalArgumentException(
          "the rows have no field " + mapping.key().name() + ", which is the row key");
    }
    List<Place> places =
        mapping.columns().stream()
            .map(
                c ->
                    new Place(
                        c,
                        names.indexOf(c.name()),
                        c.withTimestamp() ? names.indexOf(c.timestampName()) : NOWHERE))
            .filter(place -> place.value() != NOWHERE)
            .toList();
    return new RowPuts(new Place(mapping.key(), key, NOWHERE), places, HConstants.LATEST_TIMESTAMP);
  }

  /**
   * The put of a row: a cell for each value that is not null.
   *
   * @return null for a row of nothing but nulls, of which a table has no trace
   * @throws IllegalArgumentException when the row key is null or empty, or a time has more than
   *     milliseconds
   */
  Put put(InternalRow row) {
    byte[] name = bytes(row, key);
    if (name == null || name.length == 0) {
      throw new IllegalArgumentException(
          "a row has no row key: " + key.column().name() + " is null or empty");
    }
    Put put = new Put(name);
    for (Place place : places) {
      byte[] value = bytes(row, place);
      if (value != null) {
        put.addColumn(place.column().family(), place.column().qualifier(), time(row, place), value);
      }
    }
    return put.isEmpty() ? null : put;
  }

  private static byte[] bytes(InternalRow row, Place place) {
    if (row.isNullAt(place.value())) {
      return null;
    }
    Object value = row.get(place.value(), place.column().type().sparkType());
    try {
      return Values.encode(place.column().type(), value);
    } catch (IllegalArgumentException e) {
      throw refused(place.column().name(), e);
    }
  }

  /** In milliseconds. */
  private long time(InternalRow row, Place place) {
    boolean given = place.time() != NOWHERE && !row.isNullAt(place.time());
    try {
      return given ? Values.millis(row.getLong(place.time())) : millis;
    } catch (IllegalArgumentException e) {
      throw refused(place.column().timestampName(), e);
    }
  }

  private static IllegalArgumentException refused(String field, IllegalArgumentException why) {
    return new IllegalArgumentException("a row's " + field + ": " + why.getMessage(), why);
  }
}
