package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.grampus.perf.ToolException;

/**
 * A server that runs as a user would run it, through {@code bin/grampus}, on free ports of loopback
 * and with everything below one directory; and what the kernel counts for it. For one thread.
 */
public final class MeasuredServer implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration STOP_LIMIT = Duration.ofMinutes(1);

  private static final String SERVER_OPTIONS = "GRAMPUS_OPTS";

  /** The variable with the options of a server's JVM, which {@code bin/grampus perf} sets. */
  public static final String SERVER_JVM = "GRAMPUS_SERVER_JVM";

  private final Checkout checkout;
  private final ServerPlan plan;
  private final Path directory;
  private final ServerProcess process;
  private final Optional<Companions> companions;

  private MeasuredServer(Checkout checkout, Path directory, ServerPlan plan) {
    this.checkout = checkout;
    this.plan = plan;
    this.directory = directory;
    process = new ServerProcess(plan.kind(), directory, Ports.free(), settings(directory, plan));
    Checkout origin = plan.origin().map(ServerPlan.Origin::checkout).orElse(checkout);
    companions =
        plan.remoteRoot().map(root -> new Companions(checkout, directory, process.confDir()));
    process.environment("GRAMPUS_HOME", origin.home().toString());
    if (companions.isPresent()) {
      process.environment("HADOOP_CONF_DIR", process.confDir().toString());
    }
    process.environment("GRAMPUS_LOG_DIR", directory.resolve("logs").toString());
    if (plan.kind() == ServerKind.GRAMPUS) {
      process.environment("GRAMPUS_HEAP", plan.heapMb() + "m");
      String own = Optional.ofNullable(System.getenv(SERVER_OPTIONS)).orElse("");
      process.environment(
          SERVER_OPTIONS, (String.join(" ", plan.jvmOptions()) + " " + own).strip());
      process.launcher(
          origin.grampus(), plan.remoteRoot().isPresent() ? "regionserver" : "standalone");
    } else {
      process.environment("GRAMPUS_CLIENT_OPTS", plan.stockJvm(System.getenv(SERVER_JVM)));
      String type = plan.remoteRoot().isPresent() ? "regionserver.HRegionServer" : "master.HMaster";
      process.launcher(origin.grampus(), "run", "org.apache.hadoop.hbase." + type, "start");
    }
  }

  private static Map<String, String> settings(Path directory, ServerPlan plan) {
    Map<String, String> settings = new LinkedHashMap<>();
    plan.remoteRoot().ifPresent(root -> settings.putAll(Companions.settings(root, directory)));
    settings.putAll(plan.settings());
    return settings;
  }

  /**
   * Starts a server and returns once it serves.
   *
   * @param directory its own; what an earlier server has left there it serves again
   * @throws ToolException when it does not, with the end of what it printed
   */
  public static MeasuredServer start(Checkout checkout, Path directory, ServerPlan plan)
      throws ToolException, IOException, InterruptedException {
    MeasuredServer server = new MeasuredServer(checkout, directory, plan);
    Files.createDirectories(directory.resolve("logs"));
    if (plan.metrics().isPresent()) {
      plan.metrics().get().configure(server.process.confDir(), server.metricsFile());
    }
    server.process.start();
    try {
      if (server.companions.isPresent()) {
        server.companions.get().start();
      }
      server.process.awaitServing(START_LIMIT);
      return server;
    } catch (IOException e) {
      String how =
          server.process.isAlive()
              ? "does not serve after " + START_LIMIT.toSeconds() + " s"
              : "ended while starting";
      try (server) {
        server.requireCompanions();
      }
      throw new ToolException("the " + server + " server " + how + server.endOfLog(), e);
    }
  }

  private String endOfLog() {
    return Tail.of(process.log());
  }

  /** Its kind. */
  public ServerKind kind() {
    return plan.kind();
  }

  /** Its process. */
  public long pid() {
    return process.pid();
  }

  /** The directory of its hbase-site.xml. */
  public Path confDir() {
    return process.confDir();
  }

  /** What the process printed. */
  public Path output() {
    return process.log();
  }

  /** The directory that hbase.rootdir names, of a server whose files are on this machine. */
  public Path rootDir() {
    return process.rootDir();
  }

  /** Grampus's log files. */
  public List<Path> logs() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("logs"))) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  /** The file that its metrics go to, if its plan has one. */
  public Path metricsFile() {
    return directory.resolve("metrics");
  }

  /** Its engine's metrics; for a plan that publishes them. */
  public EngineMetrics metrics() {
    return new EngineMetrics(metricsFile(), process::isAlive);
  }

  /** A client's configuration for it. */
  public Configuration clientConfiguration() {
    return process.clientConfiguration();
  }

  /** Whether its process is there. */
  public boolean runs() {
    return process.isAlive();
  }

  /** A client of it: {@code bin/grampus} with these arguments, which ends when the server does. */
  public ClientProgram client(List<String> arguments) {
    return new ClientProgram(checkout, confDir(), arguments)
        .environment(ClientProgram.SERVER_PID, String.valueOf(pid()))
        .whileRuns(this::runs);
  }

  /** What the kernel has counted for it so far. */
  public ProcSample sample() throws ToolException {
    try {
      return ProcSample.of(pid());
    } catch (IOException e) {
      throw new ToolException("the " + this + " server has ended" + endOfLog(), e);
    }
  }

  /** Bytes of all files below its root directory. */
  public long diskBytes() throws IOException {
    Optional<RemoteFiles> remote = remoteFiles();
    return remote.isPresent() ? remote.get().bytes() : DiskUse.of(rootDir());
  }

  /**
   * Bytes of a table's files, also of those that were replaced by a compaction and not moved yet.
   */
  public long tableBytes(String table) throws IOException {
    Optional<RemoteFiles> remote = remoteFiles();
    if (remote.isPresent()) {
      return remote.get().tableBytes(table);
    }
    Path directory = tableDirectory(table);
    return Files.exists(directory) ? DiskUse.of(directory) : 0;
  }

  private Path tableDirectory(String table) {
    return rootDir().resolve("data/default").resolve(table);
  }

  private Optional<RemoteFiles> remoteFiles() throws IOException {
    if (plan.remoteRoot().isEmpty()) {
      return Optional.empty();
    }
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(plan.remoteRoot().get());
    return Optional.of(new RemoteFiles(root, root.getFileSystem(clientConfiguration())));
  }

  /**
   * Waits until a table of one region has one store file, and those that it replaces are gone.
   *
   * @return its bytes
   * @throws ToolException when it has more after a minute
   */
  public long awaitOneStoreFile(String table)
      throws ToolException, IOException, InterruptedException {
    Optional<RemoteFiles> remote = remoteFiles();
    return remote.isPresent()
        ? remote.get().awaitOneStoreFile(table)
        : new StoreFiles(tableDirectory(table)).awaitOne();
  }

  /**
   * Waits until it has been idle for two seconds, so that work left over is counted where it was
   * caused.
   *
   * @throws ToolException when it has ended, or is not idle after an hour
   */
  public void awaitIdle() throws ToolException, InterruptedException {
    IdleWait.until("the " + this + " server to be idle", () -> List.of(sample().cpuMicros()));
  }

  /**
   * Says what it has had in memory at most; only a running server can be asked.
   *
   * @throws ToolException when that is more than a quarter above what it was given
   */
  public String checkMemory(long givenMb) throws ToolException {
    long peakMb = sample().peakRssMb();
    String said =
        "peak resident memory: " + peakMb + " MB, grampus.memory.bytes: " + givenMb + " MB";
    if (peakMb > givenMb * 5 / 4) {
      throw new ToolException(said + ", exceeded by more than 25 %");
    }
    return said + ", within it and 25 %";
  }

  private void requireCompanions() throws ToolException {
    if (companions.isPresent()) {
      companions.get().require();
    }
  }

  /**
   * SIGTERM, and SIGKILL for a server that does not end by it, which is an error. What it has on
   * another file system goes.
   */
  public void stop() throws ToolException, IOException, InterruptedException {
    try {
      requireCompanions();
      if (process.isAlive()) {
        process.stop(STOP_LIMIT);
      }
      if (remoteFiles().isPresent()) {
        remoteFiles().get().delete();
      }
    } catch (IOException e) {
      process.kill();
      throw new ToolException("the " + this + " server did not stop" + endOfLog(), e);
    } finally {
      companions.ifPresent(Companions::close);
    }
  }

  /** SIGKILL, if it runs. */
  public void kill() throws InterruptedException {
    try {
      process.close();
    } finally {
      companions.ifPresent(Companions::close);
    }
  }

  /** Kills it if it runs: a measurement that came to its end has stopped it. */
  @Override
  public void close() {
    try {
      kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // killed, but its end was not awaited
    }
  }

  @Override
  public String toString() {
    return plan.name();
  }
}
