package org.grampus.perf.process;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.grampus.compat.suite.target.ServerKind;

/**
 * How a server is to be started.
 *
 * @param kind Grampus or a stock HBase 2.6.1, both from the class path of {@code bin/grampus}
 * @param heapMb heap of its JVM, in MiB
 * @param settings keys of hbase-site.xml beside those of its directory and ports
 * @param metrics the file that its metrics go to, if they do
 * @param jvmOptions of Grampus's JVM, before those of {@code GRAMPUS_OPTS}
 * @param origin of a Grampus that runs beside another one
 * @param remoteRoot the URI of {@code hbase.rootdir} on another file system than the machine's own:
 *     the server is then a region server beside a stock HMaster and ZooKeeper
 */
public record ServerPlan(
    ServerKind kind,
    long heapMb,
    Map<String, String> settings,
    Optional<MetricsFile> metrics,
    List<String> jvmOptions,
    Optional<Origin> origin,
    Optional<String> remoteRoot) {
  /** What {@code bin/grampus} gives a server unless told otherwise. */
  private static final long GRAMPUS_HEAP_MB = 512;

  private static final long HBASE_HEAP_MB = 4096;
  private static final String NETTY = "-Dio.netty.";
  private static final String NETTY_OF_HBASE = "-Dorg.apache.hbase.thirdparty.io.netty.";

  /** So old the engine's numbers may be when they are written, once a second. */
  private static final long METRICS_MILLIS = 200;

  /**
   * What a second server of a kind is called and started from.
   *
   * @param name what results call it
   * @param checkout in the place of the tool's own
   */
  public record Origin(String name, Checkout checkout) {}

  /** Copies the settings and options. */
  public ServerPlan {
    settings = Map.copyOf(settings);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** A server with its defaults. */
  public static ServerPlan of(ServerKind kind) {
    long heapMb = kind == ServerKind.GRAMPUS ? GRAMPUS_HEAP_MB : HBASE_HEAP_MB;
    return new ServerPlan(
        kind, heapMb, Map.of(), Optional.empty(), List.of(), Optional.empty(), Optional.empty());
  }

  /** The same with another heap. */
  public ServerPlan heapMb(long megabytes) {
    return new ServerPlan(kind, megabytes, settings, metrics, jvmOptions, origin, remoteRoot);
  }

  /** The same with a limit of memory in all; a stock HBase knows its heap only. */
  public ServerPlan memoryMb(long megabytes) {
    return setting("grampus.memory.bytes", megabytes << 20);
  }

  /** The same with another setting. */
  public ServerPlan setting(String key, Object value) {
    Map<String, String> more = new LinkedHashMap<>(settings);
    more.put(key, String.valueOf(value));
    return new ServerPlan(kind, heapMb, more, metrics, jvmOptions, origin, remoteRoot);
  }

  /** The same with its engine's metrics written to a file, in the place of any other metrics. */
  public ServerPlan publishingMetrics() {
    return setting("hbase.regionserver.metrics.period", METRICS_MILLIS)
        .metrics(MetricsFile.ofEngine());
  }

  /** The same with all its metrics written to a file, in the place of those of its engine. */
  public ServerPlan sinkingEach(int seconds) {
    return metrics(MetricsFile.ofAll(seconds));
  }

  private ServerPlan metrics(MetricsFile file) {
    return new ServerPlan(
        kind, heapMb, settings, Optional.of(file), jvmOptions, origin, remoteRoot);
  }

  /** The same with lost buffers looked for: one is an ERROR in the log of Grampus. */
  public ServerPlan findingLostBuffers() {
    return jvmOption("-Dio.netty.leakDetection.level=simple");
  }

  /** The same with another option of Grampus's JVM. */
  public ServerPlan jvmOption(String option) {
    List<String> more = Stream.concat(jvmOptions.stream(), Stream.of(option)).toList();
    return new ServerPlan(kind, heapMb, settings, metrics, more, origin, remoteRoot);
  }

  /** The same by another name, from a checkout that has been built. */
  public ServerPlan from(String name, Checkout checkout) {
    Optional<Origin> other = Optional.of(new Origin(name, checkout));
    return new ServerPlan(kind, heapMb, settings, metrics, jvmOptions, other, remoteRoot);
  }

  /** The same as a region server whose files are below this URI. */
  public ServerPlan rootedAt(String uri) {
    return new ServerPlan(kind, heapMb, settings, metrics, jvmOptions, origin, Optional.of(uri));
  }

  /**
   * Options of a stock HBase's JVM: collector, first heap and Netty as those of Grampus, under the
   * name that HBase gives its own Netty as well.
   *
   * @param serverJvm those of Grampus's; null has none
   */
  String stockJvm(String serverJvm) {
    String heap = "-Xmx" + heapMb + "m";
    return serverJvm == null
        ? heap
        : serverJvm
            + " "
            + Stream.of(serverJvm.split(" ", -1))
                .filter(option -> option.startsWith(NETTY))
                .map(option -> option.replace(NETTY, NETTY_OF_HBASE))
                .collect(Collectors.joining(" "))
            + " "
            + heap;
  }

  /** What results call the server: its kind, or the name of its origin. */
  public String name() {
    return origin.map(Origin::name).orElse(kind.name().toLowerCase(Locale.ROOT));
  }
}
