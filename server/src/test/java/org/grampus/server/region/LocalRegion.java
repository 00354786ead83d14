package org.grampus.server.region;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.CallStatus;
import org.grampus.engine.CompletionEntries;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.NativeRegion;

/** The whole table {@code t} with the family {@code f}, in a native engine, for tests. */
public final class LocalRegion {
  private static final TableName NAME = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final long TOKEN = 1;
  private static final int BATCH_BYTES = 16 + 8 + 4;
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final long TIMESTAMP = 1;
  private static final byte PUT = 1;
  private static final byte DELETE = 2;
  private static final byte SKIP_WAL = 1;
  private static final byte SYNC_WAL = 3;
  private static final int CACHE_BLOCKS = 8;
  private static final int GET = 256;

  /** Where the cells of a reply to a get begin. */
  private static final int CELLS = 8;

  private final OnlineRegion online;

  private LocalRegion(OnlineRegion online) {
    this.online = online;
  }

  /** Starts the engine's logs below a directory and opens the region there. */
  public static LocalRegion create(NativeEngine engine, Path directory) {
    RegionInfo info = RegionInfoBuilder.newBuilder(NAME).build();
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    startLogs(engine, directory);
    return new LocalRegion(new OnlineRegion(info, table, open(engine, directory, info, table), 1));
  }

  /** A region that is open, of a table with the family {@code f}. */
  public static LocalRegion of(OnlineRegion online) {
    return new LocalRegion(online);
  }

  /** Starts an engine's logs below a directory. */
  public static void startLogs(NativeEngine engine, Path directory) {
    Path wal = create(directory.resolve("WALs/server"));
    Path oldWal = create(directory.resolve("oldWALs"));
    engine.startWal(wal.toString(), oldWal.toString(), "server");
  }

  /** Opens a region below a directory, which has nothing of it yet. */
  public static NativeRegion open(
      NativeEngine engine, Path directory, RegionInfo info, TableDescriptor table) {
    TableName name = info.getTable();
    Path regionDir =
        create(
            directory
                .resolve("data")
                .resolve(name.getNamespaceAsString())
                .resolve(name.getQualifierAsString())
                .resolve(info.getEncodedName()));
    return engine.openRegion(
        RegionRequest.of(
            info,
            table,
            new Configuration(false),
            directory.toString(),
            regionDir.toString(),
            null));
  }

  private static Path create(Path directory) {
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a directory with all that is in it. */
  public static void delete(Path directory) {
    try (Stream<Path> found = Files.walk(directory)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The region as the server sees it. */
  public OnlineRegion online() {
    return online;
  }

  /** Its encoded name. */
  public String encodedName() {
    return online.encodedName();
  }

  /** Puts a value into the column {@code f:q} of a row, past the log. */
  public void put(String row, String value) {
    put(row, "q", Bytes.toBytes(value));
  }

  /** Puts a value into the column {@code f:q} of a row; it is in the log after the next flush. */
  public void putLogged(String row, String value) {
    put(row, "q", Bytes.toBytes(value), SYNC_WAL);
  }

  /** Puts a value into a column of {@code f}, past the log. */
  public void put(String row, String qualifier, byte[] value) {
    put(row, qualifier, value, SKIP_WAL);
  }

  /**
   * Puts a value into the column {@code f:q} of a row, and waits for its acknowledgement.
   *
   * @throws IllegalStateException when it is not acknowledged
   */
  public void putAcknowledged(NativeEngine engine, String row, String value) {
    putAcknowledged(engine, row, value, TIMESTAMP);
  }

  /** The same with a timestamp. */
  public void putAcknowledged(NativeEngine engine, String row, String value, long timestamp) {
    byte[] bytes = Bytes.toBytes(value);
    KeyValue cell = new KeyValue(Bytes.toBytes(row), FAMILY, QUALIFIER, timestamp, bytes);
    await(engine, row, mutate(PUT, cell, SYNC_WAL));
  }

  /** Deletes the family {@code f} of a row up to a timestamp, and waits for the acknowledgement. */
  public void deleteAcknowledged(NativeEngine engine, String row, long timestamp) {
    KeyValue cell =
        new KeyValue(
            Bytes.toBytes(row), FAMILY, new byte[0], timestamp, KeyValue.Type.DeleteFamily);
    await(engine, row, mutate(DELETE, cell, SYNC_WAL));
  }

  /** Closes an engine as a dead server's ends: its edits may be in its log alone. */
  public static void abandon(NativeEngine engine) {
    try {
      engine.close();
    } catch (EngineException e) {
      if (e.kind() == ErrorKind.BUG) {
        throw e;
      }
    }
  }

  private static void await(NativeEngine engine, String row, long result) {
    CompletionEntries entries = new CompletionEntries(8);
    boolean waits = CallStatus.status(result) == CallStatus.PENDING;
    while (waits) {
      int count = engine.pollCompletions(entries, 60_000);
      if (count != 1 || entries.kind(0) != CompletionEntries.DURABLE) {
        throw new IllegalStateException("the change of " + row + " is not acknowledged");
      }
      waits = entries.token(0) != TOKEN;
    }
  }

  private long put(String row, String qualifier, byte[] value, byte durability) {
    byte[] column = Bytes.toBytes(qualifier);
    return mutate(
        PUT, new KeyValue(Bytes.toBytes(row), FAMILY, column, TIMESTAMP, value), durability);
  }

  private long mutate(byte kind, KeyValue keyValue, byte durability) {
    byte[] cell = keyValue.getBuffer();
    ByteBuffer cells = ByteBuffer.allocateDirect(Integer.BYTES + cell.length);
    cells.putInt(cell.length).put(cell);
    ByteBuffer batch = ByteBuffer.allocateDirect(BATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    batch.put((byte) 1).put((byte) 0).putShort((short) 0).putInt(1).putLong(0);
    batch.put(kind).put(durability).putShort((short) 0).putInt(Integer.BYTES).putInt(1);
    ByteBuffer out = ByteBuffer.allocateDirect(1024);
    long result = online.engine().mutate(TOKEN, batch.flip(), cells.flip(), out);
    if (out.get(0) != 0) {
      throw new IllegalStateException("the change failed with status " + out.get(0));
    }
    return result;
  }

  /** Whether a get of the row, which lets pages into the cache, finds a cell. */
  public boolean has(String row) {
    return get(row).getInt(0) > 0;
  }

  /** The value of the column {@code f:q} of a row, the only one it has; null without a cell. */
  public String value(String row) {
    ByteBuffer out = get(row);
    if (out.getInt(0) == 0) {
      return null;
    }
    int length = out.order(ByteOrder.BIG_ENDIAN).getInt(CELLS);
    byte[] cell = new byte[length];
    out.get(CELLS + Integer.BYTES, cell);
    return Bytes.toString(CellUtil.cloneValue(new KeyValue(cell)));
  }

  private ByteBuffer get(String row) {
    byte[] key = Bytes.toBytes(row);
    ByteBuffer spec = ByteBuffer.allocateDirect(1024).order(ByteOrder.LITTLE_ENDIAN);
    spec.put((byte) 1).put((byte) 0).putShort((short) 0).putInt(CACHE_BLOCKS | GET);
    spec.putInt(key.length).put(key).putInt(0);
    spec.putInt(1).putInt(-1).putInt(0).putInt(-1).putLong(0).putLong(0).putLong(Long.MAX_VALUE);
    spec.putInt(0).putInt(0);
    ByteBuffer out = ByteBuffer.allocateDirect(1024).order(ByteOrder.LITTLE_ENDIAN);
    online.engine().get(spec.flip(), out);
    return out;
  }
}
