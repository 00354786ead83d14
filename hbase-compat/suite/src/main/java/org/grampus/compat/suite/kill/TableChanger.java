package org.grampus.compat.suite.kill;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.DoNotRetryRegionException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.Violations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes tables of its own in every way that takes something away or moves it: snapshots are
 * restored and cloned, tables and regions truncated, families dropped and added again, regions
 * split, merged, closed and opened, tables disabled, enabled and dropped. One thread makes every
 * change of its tables, so each step has one outcome that a serial history allows, which is
 * compared before the next one. A step that a kill interrupts is repeated until it is done, as an
 * operator would.
 */
final class TableChanger implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(TableChanger.class);

  private static final int SNAPSHOTS_MAX = 3;
  private static final String F = "f";
  private static final String G = "g";
  private static final byte[] PADDING = Bytes.toBytes("padding");
  private static final Pattern RUNNING =
      Pattern.compile(
          "\"className\":\\s*\"[^\"]*(Split|Merge)Table\\w*Procedure\"[^{}]*"
              + "\"state\":\\s*\"(?!SUCCESS|FAILED|ROLLEDBACK)");

  private final Connection connection;
  private final RepeatedCalls calls;
  private final TableReader reader;
  private final List<TableName> names;
  private final Random random;
  private final AtomicBoolean stop;
  private final Violations violations;
  private final AtomicLong changes;
  private final Map<TableName, TableModel> tables = new TreeMap<>();
  private final List<Taken> snapshots = new ArrayList<>();
  private final String prefix;
  private long version;
  private int taken;
  private boolean failed;

  private record Taken(String name, TableName source, TableModel model) {}

  TableChanger(
      int id,
      Connection connection,
      long seed,
      AtomicBoolean stop,
      Violations violations,
      AtomicLong changes) {
    this.prefix = "changed" + id;
    this.names = List.of(TableName.valueOf(prefix + "a"), TableName.valueOf(prefix + "b"));
    this.connection = connection;
    this.calls = new RepeatedCalls(connection, prefix);
    this.reader = new TableReader(connection, calls);
    this.random = new Random(seed);
    this.stop = stop;
    this.violations = violations;
    this.changes = changes;
  }

  @Override
  public void run() {
    try {
      while (!stop.get() && !failed) {
        verify();
        step();
        changes.incrementAndGet();
      }
    } catch (IOException e) {
      LOG.error("{} gives up", prefix, e);
      violate(prefix + " gives up: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void violate(String what) {
    failed = true;
    violations.add(what);
  }

  private void step() throws IOException, InterruptedException {
    TableName name = names.get(random.nextInt(names.size()));
    if (!tables.containsKey(name)) {
      makeTable(name);
    } else if (random.nextBoolean()) {
      for (int left = random.nextInt(12); left >= 0; left--) {
        write(name);
      }
    } else {
      change(name);
    }
  }

  private void change(TableName name) throws IOException, InterruptedException {
    int dice = random.nextInt(11);
    LOG.info("change {} of {}", dice, name);
    switch (dice) {
      case 0, 1 -> snapshot(name);
      case 2, 3 -> restore(name);
      case 4 -> truncate(name);
      case 5, 6 -> truncateRegion(name);
      case 7 -> changeFamily(name);
      case 8 -> split(name);
      case 9 -> mergeOrDrop(name);
      default -> closeAndOpen(name);
    }
  }

  private void makeTable(TableName name) throws IOException, InterruptedException {
    if (!snapshots.isEmpty() && random.nextInt(3) > 0) {
      Taken source = snapshots.get(random.nextInt(snapshots.size()));
      calls.reach(
          "clone", admin -> isServed(admin, name), admin -> admin.cloneSnapshot(source.name, name));
      tables.put(name, source.model.copy());
      return;
    }
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setRegionSplitPolicyClassName(DisabledRegionSplitPolicy.class.getName())
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G));
    byte[][] splits = {Bytes.toBytes("row3"), Bytes.toBytes("row6")};
    calls.reach(
        "create",
        admin -> isServed(admin, name),
        admin -> admin.createTable(table.build(), splits));
    tables.put(name, new TableModel(F, G));
  }

  private static boolean isServed(Admin admin, TableName name) throws IOException {
    return admin.tableExists(name) && admin.isTableEnabled(name) && admin.isTableAvailable(name);
  }

  private void disable(TableName name) throws IOException, InterruptedException {
    calls.reach("disable", admin -> admin.isTableDisabled(name), admin -> admin.disableTable(name));
  }

  private void enable(TableName name) throws IOException, InterruptedException {
    calls.reach("enable", admin -> isServed(admin, name), admin -> admin.enableTable(name));
  }

  /** Of a disabled table, so that the files cannot change meanwhile. */
  private void snapshot(TableName name) throws IOException, InterruptedException {
    Taken snapshot = new Taken(prefix + "-" + taken++, name, tables.get(name).copy());
    disable(name);
    calls.reach(
        "snapshot",
        admin -> isThere(admin, snapshot),
        admin -> admin.snapshot(snapshot.name, name));
    enable(name);
    snapshots.add(snapshot);
    if (snapshots.size() > SNAPSHOTS_MAX) {
      Taken oldest = snapshots.remove(random.nextInt(SNAPSHOTS_MAX));
      calls.reach(
          "deletion of a snapshot",
          admin -> !isThere(admin, oldest),
          admin -> admin.deleteSnapshot(oldest.name));
    }
  }

  private static boolean isThere(Admin admin, Taken snapshot) throws IOException {
    return admin.listSnapshots().stream()
        .map(SnapshotDescription::getName)
        .anyMatch(snapshot.name::equals);
  }

  private void restore(TableName name) throws IOException, InterruptedException {
    List<Taken> own = snapshots.stream().filter(snapshot -> snapshot.source.equals(name)).toList();
    disable(name);
    if (!own.isEmpty()) {
      Taken snapshot = own.get(random.nextInt(own.size()));
      calls.until("restore", admin -> admin.restoreSnapshot(snapshot.name));
      tables.put(name, snapshot.model.copy());
    }
    enable(name);
  }

  private void truncate(TableName name) throws IOException, InterruptedException {
    disable(name);
    calls.reach(
        "truncate", admin -> isServed(admin, name), admin -> admin.truncateTable(name, true));
    tables.get(name).clear();
  }

  private void truncateRegion(TableName name) throws IOException, InterruptedException {
    RegionInfo region = anyRegion(name);
    calls.until(
        "truncate_region",
        admin -> RepeatedCalls.await(admin.truncateRegionAsync(region.getRegionName())));
    tables.get(name).clear(region.getStartKey(), region.getEndKey());
  }

  private RegionInfo anyRegion(TableName name) throws IOException, InterruptedException {
    List<RegionInfo> regions = regions(name);
    return regions.get(random.nextInt(regions.size()));
  }

  /** The regions, once no split or merge goes on that an earlier step has given up waiting for. */
  private List<RegionInfo> regions(TableName name) throws IOException, InterruptedException {
    List<RegionInfo> regions = new ArrayList<>();
    calls.until(
        "list of the regions",
        admin -> {
          if (RUNNING.matcher(admin.getProcedures()).find()) {
            throw new IOException("a split or merge is going on");
          }
          regions.clear();
          regions.addAll(admin.getRegions(name));
        });
    return regions;
  }

  private void changeFamily(TableName name) throws IOException, InterruptedException {
    TableModel model = tables.get(name);
    if (model.families().size() == 2) {
      String family = random.nextBoolean() ? F : G;
      calls.reach(
          "drop of a family",
          admin -> !admin.getDescriptor(name).hasColumnFamily(Bytes.toBytes(family)),
          admin -> admin.deleteColumnFamily(name, Bytes.toBytes(family)));
      model.drop(family);
    } else {
      String family = model.families().contains(F) ? G : F;
      calls.reach(
          "addition of a family",
          admin -> admin.getDescriptor(name).hasColumnFamily(Bytes.toBytes(family)),
          admin -> admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of(family)));
      model.families().add(family);
    }
  }

  private void split(TableName name) throws IOException, InterruptedException {
    if (regions(name).size() < 6) {
      byte[] region = anyRegion(name).getRegionName();
      byte[] row = Bytes.toBytes(row());
      calls.perhaps("split", admin -> RepeatedCalls.await(admin.splitRegionAsync(region, row)));
    }
  }

  private void mergeOrDrop(TableName name) throws IOException, InterruptedException {
    List<RegionInfo> regions = regions(name);
    if (regions.size() > 3 || (regions.size() > 1 && random.nextBoolean())) {
      int first = random.nextInt(regions.size() - 1);
      byte[][] pair = {
        regions.get(first).getEncodedNameAsBytes(), regions.get(first + 1).getEncodedNameAsBytes()
      };
      calls.perhaps("merge", admin -> RepeatedCalls.await(admin.mergeRegionsAsync(pair, false)));
    } else {
      disable(name);
      calls.reach("drop", admin -> !admin.tableExists(name), admin -> admin.deleteTable(name));
      tables.remove(name);
    }
  }

  /**
   * A closed region keeps its location in hbase:meta, so only a read tells whether it is served.
   */
  private void closeAndOpen(TableName name) throws IOException, InterruptedException {
    RegionInfo region = anyRegion(name);
    byte[] start = region.getStartKey();
    Get read = new Get(start.length > 0 ? start : Bytes.toBytes("row"));
    calls.perhaps("unassign", admin -> admin.unassign(region.getRegionName()));
    calls.until(
        "assign",
        admin -> {
          try {
            admin.assign(region.getRegionName());
          } catch (DoNotRetryRegionException e) {
            LOG.debug("a region of {} is assigned already", name, e);
          }
          try (Table table = connection.getTable(name)) {
            table.exists(read);
          }
        });
  }

  private String row() {
    return "row" + random.nextInt(10) + "-" + random.nextInt(4);
  }

  private void write(TableName name) throws IOException, InterruptedException {
    TableModel model = tables.get(name);
    String row = row();
    Map<String, Long> before = model.row(row);
    Map<String, Long> after = new TreeMap<>(before);
    long now = ++version;
    Put put = new Put(Bytes.toBytes(row));
    Delete delete = new Delete(Bytes.toBytes(row));
    boolean deletes = random.nextInt(4) == 0;
    for (String family : model.families()) {
      byte[] bytes = Bytes.toBytes(family);
      put.addColumn(bytes, TableReader.QUALIFIER, now, Bytes.toBytes(now))
          .addColumn(bytes, PADDING, now, new byte[300]);
      delete.addFamily(bytes, now);
      if (deletes) {
        after.remove(TableModel.cell(row, family));
      } else {
        after.put(TableModel.cell(row, family), now);
      }
    }
    try (Table table = connection.getTable(name)) {
      if (deletes) {
        table.delete(delete);
      } else {
        table.put(put);
      }
      model.setRow(row, after);
    } catch (IOException e) {
      LOG.info("the write of {} in {} is in doubt: {}", row, name, e.toString());
      model.setRow(row, reader.row(name, row));
      if (!model.row(row).equals(before) && !model.row(row).equals(after)) {
        violate(
            row + " of " + name + " holds " + model.row(row) + ", not " + before + " or " + after);
      }
    }
  }

  /** Compares every table with its model; returns the number of cells compared. */
  int verify() throws IOException, InterruptedException {
    int compared = 0;
    for (Map.Entry<TableName, TableModel> table : tables.entrySet()) {
      Map<String, Long> seen = reader.cells(table.getKey());
      Map<String, Long> expected = table.getValue().cells();
      if (!seen.equals(expected)) {
        violate(table.getKey() + " holds " + seen + ", not " + expected);
      }
      compared += seen.size();
    }
    return compared;
  }
}
