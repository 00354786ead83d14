package org.grampus.perf;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Writes rows of random keys as fast as the server takes them and notes, second by second, how that
 * goes: rows acknowledged, how long single synchronous puts take beside it, files, memory.
 */
@Command(name = "sustained", mixinStandardHelpOptions = true)
public final class SustainedLoad implements Callable<Integer> {
  private static final TableName TABLE = TableName.valueOf("SustainedLoad");
  private static final byte[] FAMILY = Bytes.toBytes("info0");
  private static final byte[] QUALIFIER = Bytes.toBytes("0");
  private static final int BATCH_ROWS = 500;
  private static final long PAUSE_BETWEEN_PUTS_MILLIS = 2;

  @Option(names = "--rows", defaultValue = "10485760", description = "default: ${DEFAULT-VALUE}")
  private long rows;

  @Option(names = "--value-bytes", defaultValue = "1000", description = "default: ${DEFAULT-VALUE}")
  private int valueBytes;

  @Option(names = "--writers", defaultValue = "4", description = "default: ${DEFAULT-VALUE}")
  private int writers;

  @Option(
      names = "--out",
      required = true,
      description = "file for a line per second, tab-separated")
  private Path out;

  @Option(names = "--server-pid", description = "process whose resident memory is noted")
  private Long serverPid;

  private final LongAdder acknowledged = new LongAdder();
  private final Recorder putMicros = new Recorder(3);
  private final AtomicBoolean done = new AtomicBoolean();

  /** Runs the command. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new SustainedLoad()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(writers + 2);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              // A split closes the region for a moment, which would hide what flushes and
              // compactions do.
              .setRegionSplitPolicyClassName(DisabledRegionSplitPolicy.class.getName())
              .build());
      Future<List<LoadSecond>> seconds = threads.submit(() -> watch(admin));
      Future<?> single = threads.submit(() -> putSingly(connection));
      List<Future<?>> bulk = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        long seed = writer;
        bulk.add(threads.submit(() -> write(connection, seed)));
      }
      try {
        for (Future<?> writer : bulk) {
          writer.get();
        }
      } finally {
        done.set(true);
      }
      single.get();
      System.out.println("checked: sustained load: " + LoadSummary.of(seconds.get()).sentence());
      return 0;
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
  }

  private Void write(Connection connection, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    long mine = rows / writers + (seed < rows % writers ? 1 : 0);
    try (Table table = connection.getTable(TABLE)) {
      List<Put> batch = new ArrayList<>(BATCH_ROWS);
      for (long row = 0; row < mine && !done.get(); row++) {
        batch.add(put(random));
        if (batch.size() == BATCH_ROWS || row + 1 == mine) {
          table.put(batch);
          acknowledged.add(batch.size());
          batch.clear();
        }
      }
    }
    return null;
  }

  private Void putSingly(Connection connection) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(-1);
    try (Table table = connection.getTable(TABLE)) {
      while (!done.get()) {
        Put put = put(random);
        long start = System.nanoTime();
        table.put(put);
        putMicros.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start));
        Thread.sleep(PAUSE_BETWEEN_PUTS_MILLIS);
      }
    }
    return null;
  }

  private Put put(SplittableRandom random) {
    byte[] value = new byte[valueBytes];
    random.nextBytes(value);
    byte[] row = Bytes.toBytes(String.format("%016x", random.nextLong()));
    return new Put(row).addColumn(FAMILY, QUALIFIER, value);
  }

  /** One line per second until the writers are done. */
  private List<LoadSecond> watch(Admin admin) throws IOException, InterruptedException {
    List<LoadSecond> seconds = new ArrayList<>();
    try (PrintWriter lines = new PrintWriter(Files.newBufferedWriter(out))) {
      lines.println(LoadSecond.HEADER);
      long start = System.nanoTime();
      long before = 0;
      while (!done.get()) {
        long end = start + TimeUnit.SECONDS.toNanos(seconds.size() + 1);
        TimeUnit.NANOSECONDS.sleep(Math.max(0, end - System.nanoTime()));
        long now = acknowledged.sum();
        LoadSecond second = second(admin, seconds.size(), now - before);
        before = now;
        seconds.add(second);
        lines.println(second.line());
      }
    }
    return seconds;
  }

  private LoadSecond second(Admin admin, int number, long rowsInIt) throws IOException {
    Histogram puts = putMicros.getIntervalHistogram();
    int files = 0;
    double memstoreMb = 0;
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, TABLE)) {
        files = Math.max(files, region.getStoreFileCount());
        memstoreMb += region.getMemStoreSize().get(Size.Unit.MEGABYTE);
      }
    }
    return new LoadSecond(
        number,
        rowsInIt,
        puts.getValueAtPercentile(50),
        puts.getValueAtPercentile(99),
        puts.getMaxValue(),
        files,
        Math.round(memstoreMb),
        rssMb());
  }

  private long rssMb() throws IOException {
    if (serverPid == null) {
      return 0;
    }
    for (String line : Files.readAllLines(Path.of("/proc/" + serverPid + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
      }
    }
    return 0;
  }
}
