package org.grampus.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.grampus.mapreduce.columns.ColumnsSplits;
import org.grampus.spark.mapping.Mapping;
import org.grampus.spark.read.GrampusScanBuilder;
import org.grampus.spark.read.Planned;
import org.grampus.spark.read.Source;
import org.grampus.spark.write.GrampusWrite;

/**
 * A table or a snapshot of one. All queries of a data frame, and of those that are made of it, read
 * one snapshot, which the first of them takes if the user names none. Any thread.
 */
final class GrampusTable implements SupportsRead, SupportsWrite, Source {
  private final FrameOptions options;
  private final Configuration conf;
  private SnapshotLease lease;
  private Mapping mapping;

  GrampusTable(FrameOptions options, Configuration conf) {
    this.options = options;
    this.conf = conf;
    this.mapping = options.mapping();
    if (mapping != null) {
      requirePresent(mapping);
    }
    options.table();
  }

  @Override
  public String name() {
    String name = "grampus " + options.table().getNameAsString();
    if (options.isOfServers()) {
      return name + " through servers";
    }
    return options.snapshot() == null ? name : name + " as of " + options.snapshot();
  }

  @Override
  public synchronized Mapping mapping() {
    if (mapping == null) {
      try {
        Mapping found = Mapping.parse(lease().foundColumns());
        requirePresent(found);
        mapping = found;
      } catch (IOException e) {
        throw new UncheckedIOException("the columns of " + name() + " cannot be found", e);
      }
    }
    return mapping;
  }

  private void requirePresent(Mapping all) {
    String present = options.present();
    boolean known =
        present == null || all.columns().stream().anyMatch(c -> c.name().equals(present));
    if (!known) {
      throw new IllegalArgumentException(
          "the option present is " + present + ", which is none of the columns of " + name());
    }
  }

  @Override
  @SuppressWarnings("deprecation") // columns() in its place is Spark's own form of the same
  public StructType schema() {
    return mapping().schema();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return EnumSet.of(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ofQuery) {
    return new GrampusScanBuilder(this);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    options.requireWritable();
    return new GrampusWrite(conf, options.table(), mapping(), info.schema());
  }

  private synchronized SnapshotLease lease() throws IOException {
    if (lease == null) {
      lease = SnapshotLease.open(conf, options.table(), options.snapshot());
    }
    return lease;
  }

  @Override
  public boolean isOfServers() {
    return options.isOfServers();
  }

  @Override
  public String present() {
    return options.present();
  }

  @Override
  public Scan scan() {
    return options.scan();
  }

  @Override
  public Planned plan(Scan scan) throws IOException {
    SnapshotLease held = isOfServers() ? null : lease();
    Configuration job = held == null ? new Configuration(conf) : held.configuration();
    TableName table = options.table();
    job.set(TableInputFormat.INPUT_TABLE, table.getNameAsString());
    List<? extends InputSplit> splits = ColumnsSplits.plan(job, scan, isOfServers());
    return new Planned(job, splits, held);
  }
}
