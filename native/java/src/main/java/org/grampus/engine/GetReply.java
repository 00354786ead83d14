package org.grampus.engine;

/** Layout of what {@link EngineRegion#get} writes: this header, then the cells (docs/jni.md). */
public final class GetReply {
  /** Where the number of cells is, an int. */
  public static final int CELL_COUNT = 0;

  /** Where the number of their bytes is, an int. */
  public static final int CELL_BYTES = CELL_COUNT + Integer.BYTES;

  /** Where the first cell begins. */
  public static final int HEADER_BYTES = CELL_BYTES + Integer.BYTES;

  private GetReply() {}
}
