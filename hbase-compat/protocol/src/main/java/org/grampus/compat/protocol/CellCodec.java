package org.grampus.compat.protocol;

import org.apache.hadoop.hbase.ipc.UnsupportedCellCodecException;

/** How a client wants its cells: the codec class that its connection header names. */
public enum CellCodec {
  /** No codec: all cells in protobuf messages, both ways. */
  NONE(""),
  /** Length and KeyValue, tags left out. */
  KEY_VALUE("org.apache.hadoop.hbase.codec.KeyValueCodec"),
  /** Length and KeyValue with tags. */
  KEY_VALUE_WITH_TAGS("org.apache.hadoop.hbase.codec.KeyValueCodecWithTags");

  private final String className;

  CellCodec(String className) {
    this.className = className;
  }

  /** The codec of this class name. */
  public static CellCodec named(String className) throws UnsupportedCellCodecException {
    for (CellCodec codec : values()) {
      if (codec.className.equals(className)) {
        return codec;
      }
    }
    throw new UnsupportedCellCodecException(className);
  }

  /** Whether cells of replies come with their tags. */
  public boolean hasTags() {
    return this == KEY_VALUE_WITH_TAGS;
  }

  /** Whether replies may carry cell blocks. */
  public boolean hasCellBlocks() {
    return this != NONE;
  }
}
