package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import java.io.IOException;

/**
 * Walks the cells of a cell block in place. Every length of a cell is checked against the block
 * before the cell is shown, so the accessors need no checks. One thread; reusable.
 *
 * <pre>
 * cell := int32 length | int32 keyLen | int32 valueLen | int16 rowLen | row | uint8 familyLen
 *       | family | qualifier | int64 timestamp | uint8 type | value [| uint16 tagsLen | tags]
 * </pre>
 */
public final class CellCursor {
  private ByteBuf block;
  private int next;
  private int end;
  private int start;
  private int rowLength;
  private int familyOffset;
  private int familyLength;
  private int qualifierLength;
  private int keyEnd;
  private int valueLength;
  private int tagsLength;

  /** Starts before the first of the readable bytes' cells; the buffer stays the caller's. */
  public CellCursor reset(ByteBuf cells) {
    return reset(cells, cells.readerIndex());
  }

  /** Starts before the cell at an index of a buffer that stays the caller's. */
  public CellCursor reset(ByteBuf cells, int index) {
    block = cells;
    next = index;
    end = cells.writerIndex();
    return this;
  }

  /** Moves to the next cell; false at the end. */
  public boolean next() throws IOException {
    if (next == end) {
      return false;
    }
    start = next;
    int length = end - start < Integer.BYTES ? -1 : block.getInt(start);
    if (length < KeyValueLayout.MIN_BYTES || length > end - start - Integer.BYTES) {
      throw new IOException("cell of " + length + " bytes in " + (end - start));
    }
    parse(start + Integer.BYTES, length);
    next = start + Integer.BYTES + length;
    return true;
  }

  private void parse(int offset, int length) throws IOException {
    long keyLength = block.getInt(offset + KeyValueLayout.KEY_LENGTH);
    long value = block.getInt(offset + KeyValueLayout.VALUE_LENGTH);
    long tags = length - KeyValueLayout.KEY - keyLength - value;
    rowLength = block.getShort(offset + KeyValueLayout.ROW_LENGTH);
    if (keyLength < KeyValueLayout.KEY_FIXED_BYTES || value < 0 || tags < 0 || rowLength < 0) {
      throw new IOException("cell with impossible lengths");
    }
    long familyLengthOffset = (long) offset + KeyValueLayout.ROW + rowLength;
    keyEnd = (int) (offset + KeyValueLayout.KEY + keyLength);
    if (familyLengthOffset > keyEnd - KeyValueLayout.TIMESTAMP_TYPE_BYTES - 1) {
      throw new IOException("cell with a row longer than its key");
    }
    familyLength = block.getUnsignedByte((int) familyLengthOffset);
    familyOffset = (int) familyLengthOffset + 1;
    qualifierLength = keyEnd - KeyValueLayout.TIMESTAMP_TYPE_BYTES - familyOffset - familyLength;
    if (qualifierLength < 0) {
      throw new IOException("cell with a family longer than its key");
    }
    valueLength = (int) value;
    tagsLength = tagsLength((int) tags);
  }

  private int tagsLength(int rest) throws IOException {
    if (rest == 0) {
      return 0;
    }
    int tags = rest < Short.BYTES ? -1 : block.getUnsignedShort(keyEnd + valueLength);
    if (tags != rest - Short.BYTES) {
      throw new IOException("cell with " + tags + " bytes of tags in " + rest);
    }
    return tags;
  }

  /** The block that the offsets point into. */
  public ByteBuf block() {
    return block;
  }

  /** Where the cell begins, its length prefix included. */
  public int start() {
    return start;
  }

  /** Where the cell ends. */
  public int end() {
    return next;
  }

  /** Offset of the row. */
  public int rowOffset() {
    return start + Integer.BYTES + KeyValueLayout.ROW;
  }

  /** Length of the row. */
  public int rowLength() {
    return rowLength;
  }

  /** Offset of the family. */
  public int familyOffset() {
    return familyOffset;
  }

  /** Length of the family. */
  public int familyLength() {
    return familyLength;
  }

  /** Offset of the qualifier. */
  public int qualifierOffset() {
    return familyOffset + familyLength;
  }

  /** Length of the qualifier. */
  public int qualifierLength() {
    return qualifierLength;
  }

  /** The timestamp. */
  public long timestamp() {
    return block.getLong(keyEnd - KeyValueLayout.TIMESTAMP_TYPE_BYTES);
  }

  /** The type's code. */
  public int type() {
    return block.getUnsignedByte(keyEnd - 1);
  }

  /** Offset of the value. */
  public int valueOffset() {
    return keyEnd;
  }

  /** Length of the value. */
  public int valueLength() {
    return valueLength;
  }

  /** Offset of the tags, behind their length. */
  public int tagsOffset() {
    return keyEnd + valueLength + Short.BYTES;
  }

  /** Length of the tags, 0 when there are none. */
  public int tagsLength() {
    return tagsLength;
  }
}
