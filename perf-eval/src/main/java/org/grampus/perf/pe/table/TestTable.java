package org.grampus.perf.pe.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.grampus.perf.pe.option.Command;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.RowPlan;
import org.grampus.perf.pe.option.Trait;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that a test has its table. A table that is there stays as it is: it is dropped when
 * {@code --recreate} says so, and by nothing else. For one thread.
 */
public final class TestTable {
  private static final Logger LOG = LoggerFactory.getLogger(TestTable.class);

  private final Admin admin;
  private final PeOptions options;
  private final TableName name;

  /** The table that the options name. */
  public TestTable(Admin admin, PeOptions options) {
    this.admin = admin;
    this.options = options;
    this.name = TableName.valueOf(options.table().name());
  }

  /**
   * Makes the table, or sees whether the one that is there will do.
   *
   * @return sentences about options that have no effect on a table that is there already
   * @throws IOException when there is none and the test does not make it, or when it lacks a family
   */
  public List<String> prepare() throws IOException {
    boolean exists = admin.tableExists(name);
    boolean creates = options.command().createsTable();
    if (exists && !(creates && options.table().recreate())) {
      return check();
    }
    if (!creates) {
      throw new IOException(
          "there is no table " + name + "; run a write command first, such as sequentialWrite");
    }
    // What cannot be made must not cost the table that is there.
    TableDescriptor descriptor = TableShape.of(options);
    byte[][] splits = TableShape.splits(options.table().regions(), RowPlan.of(options).total());
    if (exists) {
      TableTrial.run(admin, descriptor);
      LOG.info("Dropping table {} because of --recreate", name);
      drop(admin, name);
    }
    create(descriptor, splits);
    return List.of();
  }

  static void drop(Admin admin, TableName name) throws IOException {
    if (admin.isTableEnabled(name)) {
      admin.disableTable(name);
    }
    admin.deleteTable(name);
  }

  private void create(TableDescriptor descriptor, byte[][] splits) throws IOException {
    if (splits.length == 0) {
      admin.createTable(descriptor);
    } else {
      admin.createTable(descriptor, splits);
    }
    LOG.info("Table {} created", descriptor);
  }

  private List<String> check() throws IOException {
    TableDescriptor table = admin.getDescriptor(name);
    requireFamilies(table);
    List<String> warnings = new ArrayList<>();
    if (!options.command().createsTable()) {
      return warnings; // its options of creation are spoken of already
    }
    int regions = options.table().regions();
    if (regions > 0) {
      int found = admin.getRegions(name).size();
      if (found != regions) {
        warnings.add(kept("--presplit=" + regions, "has " + found + " regions"));
      }
    }
    for (TableShape.Difference difference : TableShape.differences(options, table)) {
      warnings.add(kept(difference.option(), "has " + difference.found()));
    }
    return warnings;
  }

  private String kept(String option, String found) {
    return option
        + " has no effect: table "
        + name
        + " is there already and "
        + found
        + "; --recreate drops it and makes it anew";
  }

  private void requireFamilies(TableDescriptor table) throws IOException {
    if (options.command().is(Trait.META)) {
      return;
    }
    for (int family = 0; family < families(); family++) {
      if (!table.hasColumnFamily(TableShape.family(family))) {
        List<String> there = new ArrayList<>();
        for (ColumnFamilyDescriptor one : table.getColumnFamilies()) {
          there.add(one.getNameAsString());
        }
        throw new IOException(
            "table "
                + name
                + " has no family "
                + TableShape.FAMILY_BASE
                + family
                + " but "
                + there
                + (options.command().createsTable()
                    ? "; --recreate drops it and makes it anew"
                    : "; see --families"));
      }
    }
  }

  private int families() {
    boolean first =
        options.command() == Command.FILTER_SCAN
            || options.command() == Command.CHECK_AND_PUT
            || options.command() == Command.CHECK_AND_MUTATE
            || options.command() == Command.CHECK_AND_DELETE;
    return first ? 1 : options.values().families();
  }
}
