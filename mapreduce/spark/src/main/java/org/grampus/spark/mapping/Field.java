package org.grampus.spark.mapping;

import java.io.Serializable;
import org.apache.spark.sql.types.DataType;

/**
 * A field of a row.
 *
 * @param column of the table
 * @param isTimestamp whether it has the timestamps of the cells, and not their values
 */
public record Field(Column column, boolean isTimestamp) implements Serializable {
  /** Its name. */
  public String name() {
    return isTimestamp ? column.timestampName() : column.name();
  }

  /** Its type in Spark. */
  public DataType sparkType() {
    return (isTimestamp ? ColumnType.TIMESTAMP : column.type()).sparkType();
  }
}
