package org.grampus.spark.read;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.grampus.spark.mapping.Field;
import org.grampus.spark.mapping.Kind;
import org.grampus.spark.mapping.Values;

/**
 * A column of a batch in native memory, as the engine has made it; only bytes are copied out of it.
 * Valid as long as its batch.
 */
final class ArrowColumn extends ColumnVector {
  private static final int DECIMAL_BYTES = 16;

  private final boolean isTime;
  private final int offset;
  private final int nulls;

  /** A bit for each value; 0 where none is null. */
  private final long validity;

  /** Numbers, bits, or the offsets of bytes. */
  private final long values;

  private final long bytes;

  /** Referred to, so that it lives as long as the column. */
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final BatchMemory memory;

  ArrowColumn(Field field, ArrowLayout layout, BatchMemory memory) {
    super(field.sparkType());
    this.memory = memory;
    boolean isOfBytes = isOfBytes(field);
    this.isTime = field.isTimestamp() || field.column().type().kind() == Kind.TIMESTAMP;
    this.offset = layout.offset();
    this.nulls = layout.nullCount();
    this.validity = layout.buffer(0);
    this.values = layout.buffer(1);
    this.bytes = isOfBytes ? layout.buffer(2) : 0;
  }

  private static boolean isOfBytes(Field field) {
    if (field.isTimestamp()) {
      return false;
    }
    return switch (field.column().type().kind()) {
      case BYTES, STRING, STRING_REPLACED -> true;
      default -> false;
    };
  }

  /** The batch has the memory. */
  @Override
  public void close() {}

  @Override
  public boolean hasNull() {
    return nulls > 0;
  }

  @Override
  public int numNulls() {
    return nulls;
  }

  @Override
  public boolean isNullAt(int row) {
    return validity != 0 && !bit(validity, row);
  }

  private boolean bit(long bits, int row) {
    int index = offset + row;
    int shift = index % Byte.SIZE;
    return (Platform.getByte(null, bits + index / Byte.SIZE) >> shift & 1) != 0;
  }

  private long at(int row, int width) {
    return values + (long) (offset + row) * width;
  }

  @Override
  public boolean getBoolean(int row) {
    return bit(values, row);
  }

  @Override
  public byte getByte(int row) {
    return Platform.getByte(null, at(row, Byte.BYTES));
  }

  @Override
  public short getShort(int row) {
    return Platform.getShort(null, at(row, Short.BYTES));
  }

  @Override
  public int getInt(int row) {
    return Platform.getInt(null, at(row, Integer.BYTES));
  }

  @Override
  public long getLong(int row) {
    long value = Platform.getLong(null, at(row, Long.BYTES));
    return isTime && !isNullAt(row) ? Values.micros(value) : value;
  }

  @Override
  public float getFloat(int row) {
    return Platform.getFloat(null, at(row, Float.BYTES));
  }

  @Override
  public double getDouble(int row) {
    return Platform.getDouble(null, at(row, Double.BYTES));
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    if (isNullAt(row)) {
      return null;
    }
    long address = at(row, DECIMAL_BYTES);
    if (precision <= Decimal.MAX_LONG_DIGITS()) {
      return Decimal.createUnsafe(Platform.getLong(null, address), precision, scale);
    }
    byte[] digits = new byte[DECIMAL_BYTES];
    for (int i = 0; i < DECIMAL_BYTES; i++) {
      digits[i] = Platform.getByte(null, address + DECIMAL_BYTES - 1 - i);
    }
    return Decimal.apply(new BigDecimal(new BigInteger(digits), scale), precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    if (isNullAt(row)) {
      return null;
    }
    int start = Platform.getInt(null, at(row, Integer.BYTES));
    int end = Platform.getInt(null, at(row + 1, Integer.BYTES));
    return UTF8String.fromAddress(null, bytes + start, end - start);
  }

  @Override
  public byte[] getBinary(int row) {
    if (isNullAt(row)) {
      return null;
    }
    int start = Platform.getInt(null, at(row, Integer.BYTES));
    byte[] copy = new byte[Platform.getInt(null, at(row + 1, Integer.BYTES)) - start];
    Platform.copyMemory(null, bytes + start, copy, Platform.BYTE_ARRAY_OFFSET, copy.length);
    return copy;
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw new UnsupportedOperationException("no column has arrays");
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw new UnsupportedOperationException("no column has maps");
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw new UnsupportedOperationException("no column has children");
  }
}
