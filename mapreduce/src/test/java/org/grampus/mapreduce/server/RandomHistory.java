package org.grampus.mapreduce.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table whose families, borders and changes are as chance has them. What it reads of clocks, the
 * times to live of its cells, is over by an hour or lasts for another one. One thread.
 */
final class RandomHistory {
  private static final int ROWS = 120;
  private static final int COLUMNS = 5;
  private static final int BATCH = 40;

  /** Timestamps of families whose cells live for ever; few, so that many cells are of one. */
  private static final int TIMES = 12;

  private static final int TTL_SECONDS = 3600;
  private static final long TTL_MILLIS = TTL_SECONDS * 1000L;
  private static final List<Integer> VERSIONS = List.of(1, 2, 5, Integer.MAX_VALUE);

  private final Random random;
  private final long now = System.currentTimeMillis();
  private final List<ColumnFamilyDescriptor> families = new ArrayList<>();

  RandomHistory(Random random) {
    this.random = random;
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      families.add(family("f" + i));
    }
  }

  /** The same table for another thread. */
  private RandomHistory(Random random, List<ColumnFamilyDescriptor> families) {
    this.random = random;
    this.families.addAll(families);
  }

  /** Further changes of the same table, for another thread. */
  RandomHistory fork() {
    return new RandomHistory(new Random(random.nextLong()), families);
  }

  private ColumnFamilyDescriptor family(String family) {
    ColumnFamilyDescriptorBuilder builder =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
            .setMaxVersions(any(VERSIONS))
            .setKeepDeletedCells(any(List.of(KeepDeletedCells.values())))
            .setBlocksize(1024 << random.nextInt(6));
    if (random.nextInt(3) == 0) {
      builder.setTimeToLive(TTL_SECONDS).setMinVersions(random.nextInt(2));
    }
    return builder.build();
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** The table. */
  TableDescriptor table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name).setColumnFamilies(families).build();
  }

  /** The borders of its regions; null for a single one. */
  byte[][] borders() {
    return random.nextBoolean() ? null : new byte[][] {key(ROWS / 3), key(ROWS * 2 / 3)};
  }

  /** A place between two rows where no region begins yet. */
  String border(int number) {
    return JobTest.row(random.nextInt(ROWS)) + "-" + number;
  }

  private static byte[] key(int number) {
    return Bytes.toBytes(JobTest.row(number));
  }

  /** The key of a row that may be there. */
  byte[] row() {
    return key(random.nextInt(ROWS));
  }

  /** A qualifier. */
  byte[] column() {
    return Bytes.toBytes("q" + random.nextInt(COLUMNS));
  }

  /** Changes some rows. */
  void change(Table table) throws IOException, InterruptedException {
    List<Mutation> mutations = new ArrayList<>();
    for (int i = 1 + random.nextInt(BATCH); i > 0; i--) {
      mutations.add(random.nextInt(4) == 0 ? delete() : put());
    }
    table.batch(mutations, new Object[mutations.size()]);
  }

  private Put put() {
    Put put = new Put(row());
    for (int i = 1 + random.nextInt(COLUMNS); i > 0; i--) {
      ColumnFamilyDescriptor family = any(families);
      byte[] value = Bytes.toBytes("value" + random.nextInt(1000));
      put.addColumn(family.getName(), column(), time(family), value);
    }
    if (random.nextInt(10) == 0) {
      put.setTTL(TTL_MILLIS);
    }
    return put;
  }

  /** A family. */
  byte[] familyName() {
    return any(families).getName();
  }

  /** A timestamp that cells may have. */
  long time() {
    return time(any(families));
  }

  private long time(ColumnFamilyDescriptor family) {
    if (family.getTimeToLive() == HConstants.FOREVER) {
      return 1L + random.nextInt(TIMES);
    }
    return now - random.nextInt(TIMES) - (random.nextInt(3) == 0 ? 2 * TTL_MILLIS : 0);
  }

  private Delete delete() {
    Delete delete = new Delete(row());
    ColumnFamilyDescriptor family = any(families);
    byte[] name = family.getName();
    long time = time(family);
    return switch (random.nextInt(6)) {
      case 0 -> delete.addFamily(name, time);
      case 1 -> delete.addFamilyVersion(name, time);
      case 2 -> delete.addColumn(name, column());
      case 3 -> delete.addColumn(name, column(), time);
      case 4 -> delete.addColumns(name, column(), time);
      default -> random.nextInt(4) == 0 ? delete : delete.addColumns(name, column());
    };
  }

  /** A scan of the table. */
  Scan scan() throws IOException {
    return new RandomScan(random, this).scan();
  }
}
