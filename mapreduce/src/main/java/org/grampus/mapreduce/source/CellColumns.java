package org.grampus.mapreduce.source;

/** Names in records that have cells as they are (docs/downloads.md, the mapping {@code *}). */
public final class CellColumns {
  /** The row key, where a file has no names of its own. */
  public static final String KEY = "rowkey";

  /** The list of cells. */
  public static final String CELLS = "cells";

  /** Of a cell. */
  public static final String FAMILY = "family";

  /** Of a cell. */
  public static final String QUALIFIER = "qualifier";

  /** Of a cell. */
  public static final String TIMESTAMP = "timestamp";

  /** Of a cell: HBase's code. */
  public static final String TYPE = "type";

  /** Of a cell. */
  public static final String VALUE = "value";

  private CellColumns() {}
}
