package org.grampus.perf.pe.option;

import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.pe.value.ValueLength;

/** Which options go together, and within which limits. */
final class OptionChecks {
  private static final int ZIPF_SIZE_MAX = 1 << 20;
  private static final int TAGS_MAX = 127;

  private OptionChecks() {}

  /**
   * Looks at all of them.
   *
   * @throws IllegalArgumentException at the first that cannot be
   */
  static void check(PeOptions options) {
    require(options.clientCount() > 0, "the number of clients must be above 0");
    rows(options.rows());
    clients(options);
    values(options.values());
    pace(options.pace());
    measure(options.measure());
    writes(options);
    reads(options);
    require(
        !options.table().recreate() || options.command().createsTable(),
        "--recreate drops the table, which " + options.name() + " does not; leave it out");
    RowPlan plan = RowPlan.of(options); // its sizes must be possible
    table(options, plan);
    require(
        options.command() != Command.META_WRITE
            || plan.metaKeys().isOrdered(plan.start(), plan.end()),
        "the keys of metaWrite have as many digits as --rows, which these rows exceed; use 1 client");
  }

  private static void table(PeOptions options, RowPlan plan) {
    TableOptions table = options.table();
    TableName.valueOf(table.name()); // refuses what is no name
    require(table.regions() >= 0, "--presplit must not be negative");
    require(
        table.regions() <= plan.total() || !options.command().createsTable(),
        "--presplit=" + table.regions() + " needs as many rows; there are " + plan.total());
    require(table.replicas() > 0, "--replicas must be above 0");
  }

  private static void rows(RowOptions rows) {
    require(rows.rows() == null || rows.rows() > 0, "--rows must be above 0");
    require(rows.size() == null || rows.size().signum() > 0, "--size must be above 0");
    require(rows.startRow() >= 0, "--startRow must not be negative");
    require(rows.cycles() > 0, "--cycles must be above 0");
  }

  private static void clients(PeOptions options) {
    ClientOptions clients = options.clients();
    require(clients.connections() >= 0, "--connCount must not be negative");
    require(
        !clients.oneConnection() || clients.connections() <= 1,
        "--oneCon=true is one connection; leave --connCount out");
    require(clients.mappersPerServer() >= 0, "--mappersPerServer must not be negative");
    if (clients.direct() || clients.mappersPerServer() > 0) {
      String option = clients.direct() ? "--direct" : "--mappersPerServer";
      require(options.command() == Command.SCAN, option + " is for the test scan alone");
      require(!clients.threads(), option + " needs mapreduce; leave --nomapred out");
      require(
          options.rows().startRow() == 0,
          option + " divides the rows of all clients; --startRow gives all of them the same");
      require(options.rows().cycles() == 1, option + " reads the rows once; leave --cycles out");
      require(
          !options.reads().filterAll(),
          option + " counts rows that come back; leave --filterAll out");
    }
  }

  private static void values(ValueOptions values) {
    require(!values.zipf() || !values.random(), "give one of --valueZipf and --valueRandom");
    require(
        values.size() >= 0 && values.size() <= ValueLength.MAX,
        "--valueSize must be from 0 to " + ValueLength.MAX);
    require(!values.random() || values.size() > 0, "--valueRandom needs a --valueSize above 0");
    require(
        !values.zipf() || (values.size() > 1 && values.size() <= ZIPF_SIZE_MAX),
        "--valueZipf needs a --valueSize from 2 to " + ZIPF_SIZE_MAX);
    require(values.columns() > 0, "--columns must be above 0");
    require(values.families() > 0, "--families must be above 0");
    require(
        values.tagCount() > 0 && values.tagCount() <= TAGS_MAX,
        "--numoftags must be from 1 to " + TAGS_MAX);
  }

  private static void pace(PaceOptions pace) {
    require(
        pace.rate() == null || (Double.isFinite(pace.rate()) && pace.rate() > 0),
        "--rate must be a number above 0, not " + pace.rate());
    require(pace.warmupSeconds() >= 0, "--warmup must not be negative");
    require(pace.randomSleepMillis() >= 0, "--randomSleep must not be negative");
  }

  private static void measure(MeasureOptions measure) {
    require(measure.period() >= 0, "--period must not be negative");
    require(measure.measureAfter() >= 0, "--measureAfter must not be negative");
    require(
        measure.latencyThresholdMillis() >= 0
            && measure.latencyThresholdMillis() <= Integer.MAX_VALUE,
        "--latencyThreshold must be from 0 to " + Integer.MAX_VALUE);
  }

  private static void writes(PeOptions options) {
    WriteOptions writes = options.writes();
    require(writes.multiPut() >= 0, "--multiPut must not be negative");
    require(
        writes.multiPut() == 0 || writes.autoFlush(),
        "autoFlush must be true when multiPut is more than 0");
    require(
        writes.bufferBytes() == null || writes.bufferBytes() > 0, "--bufferSize must be above 0");
  }

  private static void reads(PeOptions options) {
    ReadOptions reads = options.reads();
    require(reads.multiGet() >= 0, "--multiGet must not be negative");
    require(reads.caching() == null || reads.caching() > 0, "--caching must be above 0");
    require(
        !reads.allowMissing() || options.command().isRead(),
        "--allowMissing is for tests that read; leave it out");
  }

  private static void require(boolean holds, String sentence) {
    if (!holds) {
      throw new IllegalArgumentException(sentence);
    }
  }
}
