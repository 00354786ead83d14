package org.grampus.mapreduce.row;

import java.time.ZoneId;

/**
 * How rows are made of records.
 *
 * @param columns the mapping (docs/downloads.md), or null: then every column is a cell
 * @param key the expression of row keys, or null: then the mapping's row key counts
 * @param keySeparator between the parts of a key
 * @param family of columns whose names have none
 * @param timestamp of cells that have none of their own, in ms
 * @param zone of times that have none, or null
 * @param overridesTimestamps whether cells have no timestamps of their own
 * @param cellBytesMax bytes of a cell; 0 for any number
 */
public record RowOptions(
    String columns,
    String key,
    String keySeparator,
    String family,
    long timestamp,
    ZoneId zone,
    boolean overridesTimestamps,
    int cellBytesMax) {
  /** The same with a later timestamp of cells that have none of their own. */
  public RowOptions later(int millis) {
    return new RowOptions(
        columns,
        key,
        keySeparator,
        family,
        timestamp + millis,
        zone,
        overridesTimestamps,
        cellBytesMax);
  }
}
