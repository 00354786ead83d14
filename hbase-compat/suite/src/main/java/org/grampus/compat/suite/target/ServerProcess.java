package org.grampus.compat.suite.target;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A server as a child process: started, awaited, stopped or killed, and started again on the same
 * directory. For one thread.
 */
public final class ServerProcess {
  /** Most servers live for seconds: a second compiler would cost more than it saves. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xms64m",
          "-Xmx1g",
          "-XX:TieredStopAtLevel=1",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.util.random=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");

  private final ServerKind kind;
  private final Path directory;
  private final Ports ports;
  private final Map<String, String> settings;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private List<String> launcher = List.of();
  private boolean withoutMaster;
  private String logging = System.getProperty("log4j2.configurationFile", "");
  private Process process;

  /** A server with its data, configuration and log below a directory; it is not running yet. */
  public ServerProcess(ServerKind kind, Path directory, Ports ports, Map<String, String> settings) {
    this.kind = kind;
    this.directory = directory.toAbsolutePath();
    this.ports = ports;
    this.settings = new LinkedHashMap<>(settings);
  }

  /** Adds a variable to the environment of the next start; null removes it. */
  public void environment(String name, String value) {
    if (value == null) {
      environment.remove(name);
    } else {
      environment.put(name, value);
    }
  }

  /** Names the logging configuration of the next start; the default is this JVM's. */
  public void logging(Path configuration) {
    logging = configuration.toString();
  }

  /**
   * Names a command that the next start runs instead of a JVM on this class path. It finds the site
   * in {@code GRAMPUS_CONF_DIR}, and must become the server's process.
   */
  public void launcher(String... command) {
    launcher = List.of(command);
  }

  /**
   * The next start runs a region server of a cluster whose ZooKeeper has the port of this one, and
   * no master with it.
   */
  public void withoutMaster() {
    withoutMaster = true;
  }

  /** Starts the process and returns at once. */
  public void start() throws IOException {
    if (isAlive()) {
      throw new IllegalStateException("the server is running already, pid " + process.pid());
    }
    Path conf = Files.createDirectories(confDir());
    Files.createDirectories(temporary());
    writeSite(conf.resolve("hbase-site.xml"));
    ProcessBuilder builder = new ProcessBuilder(command(conf));
    builder.directory(directory.toFile());
    builder.environment().put("GRAMPUS_CONF_DIR", conf.toString());
    builder.environment().put("GRAMPUS_HOME", directory.toString());
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    process = builder.start();
  }

  private Path temporary() {
    return directory.resolve("java-tmp");
  }

  private List<String> command(Path conf) {
    if (!launcher.isEmpty()) {
      return launcher;
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_OPTIONS);
    command.add("-Djava.io.tmpdir=" + temporary());
    command.add("-Dgrampus.log.dir=" + directory.resolve("logs"));
    command.add("-Dlog4j2.configurationFile=" + logging);
    command.add("-cp");
    command.add(
        conf + System.getProperty("path.separator") + System.getProperty("java.class.path"));
    command.addAll(withoutMaster ? kind.regionServerCommand() : kind.command());
    return command;
  }

  private Map<String, String> site() {
    Map<String, String> site = new LinkedHashMap<>();
    site.put("hbase.rootdir", directory.resolve("hbase").toUri().toString());
    site.put("hbase.zookeeper.quorum", "127.0.0.1");
    site.put("hbase.zookeeper.property.clientPort", String.valueOf(ports.zooKeeper()));
    site.put("hbase.master.port", String.valueOf(ports.master()));
    site.put("hbase.regionserver.port", String.valueOf(ports.regionServer()));
    // pages are for those tests that ask for them
    site.put("hbase.master.info.port", "-1");
    site.put("hbase.regionserver.info.port", "-1");
    // all servers of a test run on this machine
    site.put("grampus.wal.one.machine", "true");
    if (kind == ServerKind.HBASE) {
      site.put("hbase.tmp.dir", directory.resolve("tmp").toString());
      site.put("hbase.zookeeper.property.dataDir", directory.resolve("zookeeper").toString());
      site.put("hbase.unsafe.stream.capability.enforce", "false");
      site.put("hbase.master.hostname", "localhost");
      site.put("hbase.regionserver.hostname", "localhost");
      site.put("hbase.master.ipc.address", "127.0.0.1");
      site.put("hbase.regionserver.ipc.address", "127.0.0.1");
      site.put("hbase.master.wait.on.regionservers.mintostart", "1");
      site.put("hbase.master.wait.on.regionservers.maxtostart", "1");
    }
    site.putAll(settings);
    return site;
  }

  private void writeSite(Path file) throws IOException {
    Configuration conf = new Configuration(false);
    site().forEach(conf::set);
    try (OutputStream out = Files.newOutputStream(file)) {
      conf.writeXml(out);
    }
  }

  /** A client's configuration for this server. */
  public Configuration clientConfiguration() {
    Configuration conf = HBaseConfiguration.create();
    site().forEach(conf::set);
    return conf;
  }

  /**
   * Waits until a client can list the namespaces, which needs the master, hbase:meta and
   * hbase:namespace.
   */
  public void awaitServing(Duration limit) throws IOException, InterruptedException {
    Configuration conf = ImpatientClient.of(clientConfiguration());
    long deadline = System.nanoTime() + limit.toNanos();
    IOException last = null;
    while (System.nanoTime() < deadline) {
      if (!isAlive()) {
        throw new IOException(
            "the server ended while starting, exit code " + process.exitValue() + "; see " + log());
      }
      try (Connection connection = ConnectionFactory.createConnection(conf);
          Admin admin = connection.getAdmin()) {
        if (admin.listNamespaceDescriptors().length >= 2) {
          return;
        }
      } catch (IOException e) {
        last = e;
      }
      Thread.sleep(50);
    }
    throw new IOException(
        "the server did not serve within " + limit.toSeconds() + " s; see " + log(), last);
  }

  /** True while the process runs. */
  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** The process id of the last start. */
  public long pid() {
    return process.pid();
  }

  /** The directory of its site file. */
  public Path confDir() {
    return directory.resolve("conf");
  }

  /** What the process printed. */
  public Path log() {
    return directory.resolve("server.log");
  }

  /** The directory that hbase.rootdir names. */
  public Path rootDir() {
    return directory.resolve("hbase");
  }

  /**
   * Waits for an end that something else brings about, such as a crash point; returns the exit
   * code.
   */
  public int awaitEnd(Duration limit) throws IOException, InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException(
          "the server still runs after " + limit.toSeconds() + " s; see " + log());
    }
    return process.exitValue();
  }

  /** kill -9. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** SIGSTOP: the process stands still, with its connections open, until {@link #resume}. */
  public void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** SIGCONT. */
  public void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).start();
    if (kill.waitFor() != 0) {
      throw new IOException("cannot send SIG" + name + " to process " + pid());
    }
  }

  /** SIGTERM; returns the exit code. */
  public int stop(Duration limit) throws IOException, InterruptedException {
    process.destroy();
    return awaitEnd(limit);
  }

  /** Kills the process if it runs. */
  public void close() throws InterruptedException {
    if (isAlive()) {
      kill();
    }
  }
}
