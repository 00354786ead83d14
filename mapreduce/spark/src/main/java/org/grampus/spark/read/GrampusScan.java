package org.grampus.spark.read;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.grampus.mapreduce.input.KeyRange;
import org.grampus.mapreduce.input.PlannedTableSplit;
import org.grampus.mapreduce.input.SnapshotSplit;
import org.grampus.spark.conf.SentConfiguration;
import org.grampus.spark.filter.Condition;
import org.grampus.spark.mapping.Field;
import org.grampus.spark.mapping.Mapping;

/** A scan of a query. Nothing is asked of a cluster before its partitions are planned. */
final class GrampusScan implements Scan, Batch {
  private final Source source;
  private final StructType wanted;
  private final Mapping mapping;
  private final Condition condition;
  private final Predicate[] pushed;
  private final int counts;
  private Planned planned;

  /**
   * A scan.
   *
   * @param counts fields with the number of rows; 0 = the wanted fields of each row
   */
  GrampusScan(
      Source source, StructType wanted, Condition condition, Predicate[] pushed, int counts) {
    this.source = source;
    this.wanted = counts > 0 ? new StructType() : wanted;
    this.mapping = source.mapping().of(this.wanted);
    this.condition = condition;
    this.pushed = pushed;
    this.counts = counts;
  }

  @Override
  public StructType readSchema() {
    return counts == 0
        ? wanted
        : DataTypes.createStructType(
            IntStream.range(0, counts)
                .mapToObj(i -> DataTypes.createStructField("count" + i, DataTypes.LongType, false))
                .toArray(StructField[]::new));
  }

  @Override
  public String description() {
    String filters =
        Arrays.stream(pushed).map(Object::toString).collect(Collectors.joining(", ", "[", "]"));
    String fields = counts > 0 ? "count(*)" : String.join(", ", wanted.fieldNames());
    return source.name()
        + " ["
        + fields
        + "] PushedFilters: "
        + filters
        + ", Rows: "
        + (condition.keys().isAll() ? "all" : condition.keys());
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return source.isOfServers() || counts > 0
        ? ColumnarSupportMode.UNSUPPORTED
        : ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    try {
      return condition.keys().ranges().isEmpty() ? none() : partitions();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + source.name() + ": " + e.getMessage(), e);
    }
  }

  /** A count needs a partition that says 0. */
  private static InputPartition[] none() {
    return new InputPartition[] {SplitPartition.EMPTY};
  }

  private InputPartition[] partitions() throws IOException {
    Planned plan = planned();
    List<? extends InputSplit> splits =
        plan.splits().stream().filter(split -> hasKeysOf(split)).toList();
    if (splits.isEmpty()) {
      return none();
    }
    InputPartition[] partitions = new InputPartition[splits.size()];
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] = SplitPartition.of(splits.get(i), plan.lease());
    }
    return partitions;
  }

  /** The plan is that of one range, from the first wanted key to the last one. */
  private boolean hasKeysOf(InputSplit split) {
    KeyRange range =
        split instanceof SnapshotSplit frozen
            ? frozen.range()
            : KeyRange.ofSplit(
                ((PlannedTableSplit) split).getStartRow(), ((PlannedTableSplit) split).getEndRow());
    return condition.keys().meets(range.start(), range.end());
  }

  private synchronized Planned planned() throws IOException {
    if (planned == null) {
      planned =
          source.plan(
              RowScan.of(source.scan(), source.mapping(), mapping, condition, source.present()));
    }
    return planned;
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    try {
      boolean none = condition.keys().ranges().isEmpty();
      SentConfiguration conf =
          new SentConfiguration(none ? new Configuration(false) : planned().conf());
      return counts > 0
          ? Readers.ofCounts(conf, mapping, counts, source.isOfServers())
          : new Readers(conf, mapping, fields(), source.isOfServers());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + source.name() + ": " + e.getMessage(), e);
    }
  }

  /** Whether it has the same rows, so that Spark reads them once. */
  @Override
  public boolean equals(Object other) {
    return other instanceof GrampusScan scan
        && source == scan.source
        && wanted.equals(scan.wanted)
        && counts == scan.counts
        && Arrays.equals(pushed, scan.pushed);
  }

  @Override
  public int hashCode() {
    return Objects.hash(System.identityHashCode(source), wanted, counts, Arrays.hashCode(pushed));
  }

  private Field[] fields() {
    List<Field> all = mapping.fields();
    return Arrays.stream(wanted.fieldNames())
        .map(name -> all.stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow())
        .toArray(Field[]::new);
  }
}
