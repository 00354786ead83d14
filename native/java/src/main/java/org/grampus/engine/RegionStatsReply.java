package org.grampus.engine;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads statistics of regions as they cross: {@code regionStats} of docs/jni.md. */
final class RegionStatsReply {
  /** The numbers of a region, longs in this order. */
  enum Field {
    MEMTABLE_BYTES(0),
    STORE_FILE_BYTES(1),
    OWN_FILE_BYTES(2),
    UNCOMPRESSED_BYTES(3),
    OPEN_FILE_BYTES(4),
    FOOTER_BYTES(5),
    BLOOM_BYTES(6),
    STORE_FILE_COUNT(7),
    LARGEST_STORE_FILE_COUNT(8),
    REFERENCE_COUNT(9),
    FILE_READERS(10),
    REPLACED_FILE_READERS(11),
    OLDEST_FILE_MILLIS(12),
    NEWEST_FILE_MILLIS(13),
    SUM_OF_FILE_MILLIS(14),
    FLUSHED_SEQUENCE(15),
    LAST_MAJOR_MILLIS(16),
    COMPACTION_STATE(17),
    COMPACTING_CELLS(18),
    COMPACTED_CELLS(19),
    COMPACTIONS(20),
    FAILED_COMPACTIONS(21),
    COMPACTED_FILES(22),
    COMPACTED_BYTES(23),
    BLOOMS_ASKED(24),
    BLOOMS_DENIED(25),
    BLOOMS_UNKNOWN(26);

    private final int place;

    Field(int place) {
      this.place = place;
    }

    /** Where the number is behind the name, in bytes. */
    int offset() {
      return place * Long.BYTES;
    }
  }

  private static final int NUMBERS_BYTES = Field.values().length * Long.BYTES;
  private static final CompactionState[] STATES = CompactionState.values();

  private final ByteBuffer in;

  private RegionStatsReply(byte[] reply) {
    in = ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The statistics by the regions' encoded names. */
  static Map<String, RegionStats> read(byte[] reply) {
    try {
      return new RegionStatsReply(reply).all();
    } catch (BufferUnderflowException
        | IndexOutOfBoundsException
        | NegativeArraySizeException
        | ArithmeticException e) {
      EngineException error =
          new EngineException(
              ErrorKind.BUG, "the engine's statistics are not as the server reads them");
      error.initCause(e);
      throw error;
    }
  }

  private Map<String, RegionStats> all() {
    int count = length();
    Map<String, RegionStats> all = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String name = new String(bytes(), StandardCharsets.US_ASCII);
      all.put(name, region());
    }
    if (in.hasRemaining()) {
      throw new IndexOutOfBoundsException(in.remaining() + " bytes are left over");
    }
    return all;
  }

  /** A length or count of what follows, each of which has a byte at least. */
  private int length() {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    return length;
  }

  private byte[] bytes() {
    int length = length();
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private RegionStats region() {
    int at = in.position();
    if (in.remaining() < NUMBERS_BYTES) {
      throw new BufferUnderflowException();
    }
    in.position(at + NUMBERS_BYTES);
    return new RegionStats(
        number(at, Field.MEMTABLE_BYTES),
        number(at, Field.STORE_FILE_BYTES),
        count(at, Field.STORE_FILE_COUNT),
        count(at, Field.LARGEST_STORE_FILE_COUNT),
        count(at, Field.REFERENCE_COUNT),
        fileParts(at),
        new RegionStats.Readers(
            count(at, Field.FILE_READERS), count(at, Field.REPLACED_FILE_READERS)),
        new RegionStats.FileTimes(
            number(at, Field.OLDEST_FILE_MILLIS),
            number(at, Field.NEWEST_FILE_MILLIS),
            number(at, Field.SUM_OF_FILE_MILLIS)),
        number(at, Field.FLUSHED_SEQUENCE),
        new RegionStats.Compaction(
            STATES[count(at, Field.COMPACTION_STATE)],
            number(at, Field.LAST_MAJOR_MILLIS),
            number(at, Field.COMPACTING_CELLS),
            number(at, Field.COMPACTED_CELLS)),
        new RegionStats.Compacted(
            number(at, Field.COMPACTIONS),
            number(at, Field.FAILED_COMPACTIONS),
            number(at, Field.COMPACTED_FILES),
            number(at, Field.COMPACTED_BYTES)),
        new RegionStats.Blooms(
            number(at, Field.BLOOMS_ASKED),
            number(at, Field.BLOOMS_DENIED),
            number(at, Field.BLOOMS_UNKNOWN)),
        stores());
  }

  private RegionStats.FileParts fileParts(int at) {
    return new RegionStats.FileParts(
        number(at, Field.OWN_FILE_BYTES),
        number(at, Field.UNCOMPRESSED_BYTES),
        number(at, Field.OPEN_FILE_BYTES),
        number(at, Field.FOOTER_BYTES),
        number(at, Field.BLOOM_BYTES));
  }

  private long number(int at, Field field) {
    return in.getLong(at + field.offset());
  }

  private int count(int at, Field field) {
    return Math.toIntExact(number(at, field));
  }

  private List<RegionStats.Store> stores() {
    int count = length();
    List<RegionStats.Store> stores = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      stores.add(
          new RegionStats.Store(
              bytes(), Math.toIntExact(in.getLong()), in.getLong(), in.getLong()));
    }
    return stores;
  }
}
