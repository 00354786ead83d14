package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Writes cells as length and KeyValue, from protobuf messages or from other cells. */
public final class KeyValueWriter {
  /** Says that a cell gets no time-to-live tag. */
  public static final long NO_TTL = Long.MAX_VALUE;

  private static final int TTL_TAG_BYTES = Short.BYTES + 1 + Long.BYTES;
  private static final int MAX_TAGS_BYTES = 0xffff;

  private KeyValueWriter() {}

  /**
   * Appends one cell.
   *
   * @param tags the cell's own tags, possibly empty
   * @param ttlMillis time to live to add as a tag, replacing one that is there, or {@link #NO_TTL}
   */
  public static void write(
      ByteBuf out,
      ByteString row,
      ByteString family,
      ByteString qualifier,
      long timestamp,
      int type,
      ByteString value,
      ByteString tags,
      long ttlMillis)
      throws DoNotRetryIOException {
    checkLengths(row, family);
    int keyLength = KeyValueLayout.KEY_FIXED_BYTES + row.size() + family.size() + qualifier.size();
    int start = out.writerIndex();
    out.ensureWritable(
        Integer.BYTES + KeyValueLayout.KEY + keyLength + value.size() + tags.size() + 16);
    out.writeInt(0);
    out.writeInt(keyLength);
    out.writeInt(value.size());
    out.writeShort(row.size());
    append(out, row);
    out.writeByte(family.size());
    append(out, family);
    append(out, qualifier);
    out.writeLong(timestamp);
    out.writeByte(type);
    append(out, value);
    if (!tags.isEmpty() || ttlMillis != NO_TTL) {
      int lengthIndex = out.writerIndex();
      out.writeShort(0);
      appendTags(out, tags, ttlMillis);
      finishTags(out, lengthIndex);
    }
    out.setInt(start, out.writerIndex() - start - Integer.BYTES);
  }

  /** Appends the cursor's cell with a time to live, replacing one that it has. */
  public static void writeWithTtl(ByteBuf out, CellCursor cell, long ttlMillis)
      throws DoNotRetryIOException {
    int start = out.writerIndex();
    out.writeBytes(
        cell.block(), cell.start(), cell.valueOffset() + cell.valueLength() - cell.start());
    int lengthIndex = out.writerIndex();
    out.writeShort(0);
    appendTags(
        out,
        cell.tagsLength() == 0 ? null : cell.block().slice(cell.tagsOffset(), cell.tagsLength()),
        ttlMillis);
    finishTags(out, lengthIndex);
    out.setInt(start, out.writerIndex() - start - Integer.BYTES);
  }

  /** Appends the bytes of a byte string. */
  public static void append(ByteBuf out, ByteString bytes) {
    int size = bytes.size();
    if (size != 0) {
      out.ensureWritable(size);
      int index = out.writerIndex();
      ByteBuffer target = out.internalNioBuffer(index, size);
      bytes.copyTo(target);
      out.writerIndex(index + size);
    }
  }

  private static void checkLengths(ByteString row, ByteString family) throws DoNotRetryIOException {
    if (row.isEmpty() || row.size() > KeyValueLayout.MAX_ROW_BYTES) {
      throw new DoNotRetryIOException(
          "Row length " + row.size() + " is not within 1.." + KeyValueLayout.MAX_ROW_BYTES);
    }
    if (family.size() > KeyValueLayout.MAX_FAMILY_BYTES) {
      throw new DoNotRetryIOException(
          "Family length " + family.size() + " is larger than " + KeyValueLayout.MAX_FAMILY_BYTES);
    }
  }

  private static void appendTags(ByteBuf out, ByteString tags, long ttlMillis)
      throws DoNotRetryIOException {
    if (tags.isEmpty()) {
      appendTags(out, (ByteBuf) null, ttlMillis);
    } else {
      appendTags(out, io.netty.buffer.Unpooled.wrappedBuffer(tags.toByteArray()), ttlMillis);
    }
  }

  private static void appendTags(ByteBuf out, ByteBuf tags, long ttlMillis)
      throws DoNotRetryIOException {
    while (tags != null && tags.isReadable()) {
      int length = tags.readableBytes() < Short.BYTES ? 0 : tags.readUnsignedShort();
      if (length < 1 || length > tags.readableBytes()) {
        throw new DoNotRetryIOException("malformed tags");
      }
      if (ttlMillis != NO_TTL && tags.getByte(tags.readerIndex()) == KeyValueLayout.TTL_TAG) {
        tags.skipBytes(length);
      } else {
        out.writeShort(length);
        out.writeBytes(tags, length);
      }
    }
    if (ttlMillis != NO_TTL) {
      out.writeShort(TTL_TAG_BYTES - Short.BYTES);
      out.writeByte(KeyValueLayout.TTL_TAG);
      out.writeLong(ttlMillis);
    }
  }

  private static void finishTags(ByteBuf out, int lengthIndex) throws DoNotRetryIOException {
    int length = out.writerIndex() - lengthIndex - Short.BYTES;
    if (length > MAX_TAGS_BYTES) {
      throw new DoNotRetryIOException(length + " bytes of tags are more than " + MAX_TAGS_BYTES);
    }
    out.setShort(lengthIndex, length);
  }
}
