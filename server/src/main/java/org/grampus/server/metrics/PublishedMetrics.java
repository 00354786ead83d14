package org.grampus.server.metrics;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompatibilitySingletonFactory;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.MetricsIO;
import org.apache.hadoop.hbase.io.MetricsIOSourceImpl;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSourceImpl;
import org.apache.hadoop.hbase.regionserver.wal.MetricsWALSource;
import org.apache.hadoop.hbase.regionserver.wal.MetricsWALSourceImpl;
import org.apache.hadoop.hbase.util.JvmPauseMonitor;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.grampus.engine.NativeEngine;
import org.grampus.server.env.Env;
import org.grampus.server.env.Repeated;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.rpc.WriteFence;
import org.grampus.server.service.OperationObserver;
import org.grampus.server.service.ScannerRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's beans of a region server but for {@link CallMetrics}, and the engine's own, in Hadoop's
 * metrics system as long as this is open. A thread of its own takes a snapshot of the engine's
 * numbers each {@code hbase.regionserver.metrics.period}; everything that is shown comes from it.
 */
public final class PublishedMetrics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PublishedMetrics.class);
  private static final long STOP_MILLIS = 5000;

  private final Sources sources = new Sources();
  private final Parts parts;
  private final ServerNumbers numbers;
  private final MetricsRegionServerSourceImpl server;
  private final MemorySource memory;
  private final RegionSource regions;
  private final ForgetfulBean regionBean;
  private final TableBeans tables;
  private final TableRequests requests;
  private final OperationMetrics operations;
  private final MetricsWALSourceImpl wal;
  private final MutableGaugeLong leastReplicas;
  private final EngineWork work;
  private final JvmPauseMonitor pauses;
  private final ScheduledExecutorService ticker;
  private volatile Snapshot latest;
  private volatile IntSupplier logReplicas = () -> 0;
  private volatile WriteFence fence = WriteFence.NONE;
  private boolean closed;

  /**
   * What is measured.
   *
   * @param localFiles whether all files are on disks of this machine
   */
  public record Parts(
      NativeEngine engine,
      RegionRegistry registry,
      ScannerRegistry scanners,
      MemoryAccount memory,
      CallMetrics calls,
      boolean localFiles) {}

  private PublishedMetrics(Configuration conf, Identity identity, Parts parts) {
    this.parts = parts;
    this.latest = take(null);
    this.numbers =
        new ServerNumbers(
            this::latest,
            identity,
            parts.registry,
            parts.scanners,
            parts.calls.totals(),
            parts.localFiles);
    try {
      this.server = sources.add(new MetricsRegionServerSourceImpl(numbers));
      this.memory = sources.add(new MemorySource(parts.memory));
      MetricsIOSourceImpl files = sources.add(files());
      sources.add(
          EngineSource.JMX_CONTEXT,
          EngineSource.DESCRIPTION,
          new EngineSource(this::latest, this::isFenced));
      this.regions = new RegionSource();
      sources.add(RegionSource.JMX_CONTEXT, RegionSource.DESCRIPTION, regions);
      this.regionBean =
          new ForgetfulBean(RegionSource.JMX_CONTEXT, RegionSource.DESCRIPTION, regions);
      this.tables = new TableBeans();
      sources.onClose(tables::close);
      this.requests = new TableRequests(conf, Env::nanos);
      sources.onClose(requests::close);
      MetricRegistry meters =
          MetricRegistries.global().get(server.getMetricRegistryInfo()).orElseThrow();
      this.operations =
          new OperationMetrics(conf, server, meters.timer("Bulkload"), requests, parts.calls);
      this.wal = sources.add(log());
      this.leastReplicas =
          wal.getMetricsRegistry()
              .newGauge("leastReplicas", "Data nodes of the log segment with the fewest", 0L);
      this.work =
          new EngineWork(server, tables, wal, files, parts.scanners, Meters.of(conf, meters));
      this.pauses = new JvmPauseMonitor(conf, server);
    } catch (RuntimeException e) {
      sources.close();
      throw e;
    }
    this.ticker =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "grampus-metrics");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * The log and files of this server alone, from 0: an embedded master, whose store has a log and
   * files, too, has HBase's shared sources, which live as long as the process and leave the metrics
   * system here. Two of each would write each series twice.
   */
  private static MetricsWALSourceImpl log() {
    Sources.remove(
        (MetricsWALSourceImpl) CompatibilitySingletonFactory.getInstance(MetricsWALSource.class));
    return new MetricsWALSourceImpl();
  }

  /** See {@link #log}. */
  private static MetricsIOSourceImpl files() {
    MetricsIO shared = MetricsIO.getInstance();
    Sources.remove((MetricsIOSourceImpl) shared.getMetricsSource());
    return new MetricsIOSourceImpl(shared.getWrapper());
  }

  /** Publishes the numbers of one server; a process publishes those of one at a time. */
  public static PublishedMetrics open(Configuration conf, Identity identity, Parts parts) {
    PublishedMetrics metrics = new PublishedMetrics(conf, identity, parts);
    try {
      metrics.show(null, metrics.latest);
    } catch (RuntimeException e) {
      metrics.sources.close();
      throw e;
    }
    long period =
        Math.max(
            1,
            conf.getLong(
                HConstants.REGIONSERVER_METRICS_PERIOD,
                HConstants.DEFAULT_REGIONSERVER_METRICS_PERIOD));
    var unused =
        metrics.ticker.scheduleWithFixedDelay(
            Repeated.of("the renewal of the metrics", metrics::renew),
            period,
            period,
            TimeUnit.MILLISECONDS);
    metrics.pauses.start();
    return metrics;
  }

  /** Is to be told of operations. */
  public OperationObserver operations() {
    return operations;
  }

  /** The master was asked to split a region. */
  public void askedForSplit() {
    server.incrSplitRequest();
  }

  /** The logs were asked to roll, since one is on too few data nodes. */
  public void askedForRoll() {
    wal.incrementLowReplicationLogRoll();
  }

  /** What tells the data nodes of the segment of a log that is on the fewest. */
  public void logReplicas(IntSupplier least) {
    logReplicas = least;
  }

  /** What refuses writes while ZooKeeper is not heard. */
  public void fence(WriteFence ofSession) {
    fence = ofSession;
  }

  /** Whether writes are refused for want of contact with ZooKeeper. */
  public boolean isFenced() {
    return !fence.isOpen();
  }

  /** The numbers that are shown at present. */
  public Snapshot latest() {
    return latest;
  }

  /** Takes and shows the numbers of now. */
  void renew() {
    try {
      operations.handOver();
    } finally {
      show(take(latest));
    }
  }

  /** Takes the numbers of now, with the work that the snapshot before has not. */
  Snapshot take(Snapshot before) {
    return Snapshot.take(parts.engine, parts.registry, parts.calls.totals(), before);
  }

  /** Nothing once this is closed: the snapshot may have taken longer than the close waits. */
  synchronized void show(Snapshot now) {
    if (closed) {
      return;
    }
    Snapshot before = latest;
    numbers.rates(before, now);
    latest = now;
    show(before, now);
  }

  private void show(Snapshot before, Snapshot now) {
    memory.renew(now);
    regionBean.note(regions.renew(now.regions()));
    tables.renew(now.regions()); // before the work of their regions enters
    work.enter(before, now);
    leastReplicas.set(logReplicas.getAsInt());
    requests.renew(now.regions());
    regionBean.renew();
    tables.forget();
  }

  /**
   * Takes the beans out; the engine may be closed afterwards. A snapshot that takes longer than
   * {@value #STOP_MILLIS} ms keeps them until it ends, and delays no other thread.
   */
  @Override
  public void close() {
    close(STOP_MILLIS);
  }

  /** {@link #close()}, for tests that wait less. */
  void close(long waitMillis) {
    pauses.stop();
    if (!ticker.isShutdown()) {
      ticker.execute(this::takeOut); // behind a snapshot that is under way
      ticker.shutdown();
    }
    try {
      if (!ticker.awaitTermination(waitMillis, TimeUnit.MILLISECONDS)) {
        LOG.warn(
            "a snapshot of the metrics takes longer than {} ms; beans stay meanwhile", waitMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void takeOut() {
    closed = true;
    sources.close();
  }
}
