package org.grampus.perf.trouble;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.grampus.perf.cluster.Network;
import org.grampus.perf.cluster.Role;

/**
 * A network namespace of Linux with one region server in it; all else is on the other end of a pair
 * of virtual interfaces, each daemon with an address of its own. Packets of the server to one of
 * these addresses can be lost, as by a broken switch: without an error, with connections that stay
 * open. It needs root and {@code ip} of iproute2. For one thread.
 */
public final class NetworkNamespace implements Network, AutoCloseable {
  /** Of the private network in which nothing else is looked for. */
  private static final String NET = "10.213.7.";

  private static final int SERVER = 2;
  private static final int COMMON = 1;
  private static final int ZOOKEEPER = 3;
  private static final int NAME_NODE = 4;
  private static final int FIRST_DATA_NODE = 11;
  private static final int DATA_NODES_MAX = 9;

  /** The number of the region server that is in the namespace. */
  static final int INSIDE = 1;

  /** Nothing listens on it. */
  private static final int CLOSED_PORT = 9;

  /** Exit code of coreutils' timeout. */
  private static final int TIMED_OUT = 124;

  /** An address that no interface has: frames to it are dropped where they arrive. */
  private static final String UNUSED_MAC = "02:00:00:00:00:01";

  private final String name = "grampus" + ProcessHandle.current().pid();
  private final String outer = "gr" + ProcessHandle.current().pid();
  private final String inner = outer + "i";
  private final List<String> cut = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean made;
  private final Thread atExit = new Thread(this::removeQuietly, "network namespace");

  /**
   * Makes it.
   *
   * @throws IOException where the machine does not allow it, with the reason
   */
  public NetworkNamespace() throws IOException, InterruptedException {
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      make();
    } catch (IOException | InterruptedException e) {
      close();
      throw e;
    }
  }

  private void make() throws IOException, InterruptedException {
    ip("netns", "add", name);
    made = true;
    ip("link", "add", outer, "type", "veth", "peer", "name", inner);
    ip("link", "set", inner, "netns", name);
    IntStream outside =
        IntStream.concat(
            IntStream.of(COMMON, ZOOKEEPER, NAME_NODE),
            IntStream.range(FIRST_DATA_NODE, FIRST_DATA_NODE + DATA_NODES_MAX));
    for (int number : outside.toArray()) {
      ip("addr", "add", NET + number + "/24", "dev", outer);
    }
    ip("link", "set", outer, "up");
    within("addr", "add", NET + SERVER + "/24", "dev", inner);
    within("link", "set", "lo", "up");
    within("link", "set", inner, "up");
  }

  @Override
  public String host(Role role, int number) {
    return NET
        + switch (role) {
          case ZOOKEEPER -> ZOOKEEPER;
          case NAME_NODE -> NAME_NODE;
          case DATA_NODE -> FIRST_DATA_NODE + number - 1;
          case REGION_SERVER -> number == INSIDE ? SERVER : COMMON;
          case MASTER -> COMMON;
        };
  }

  @Override
  public List<String> prefix(Role role, int number) {
    return role == Role.REGION_SERVER && number == INSIDE
        ? List.of("ip", "netns", "exec", name)
        : List.of();
  }

  /** From now on what the server sends to a process is lost. */
  void cut(Role role, int number) throws IOException, InterruptedException {
    String host = host(role, number);
    cut.add(host);
    within("neigh", "replace", host, "lladdr", UNUSED_MAC, "dev", inner, "nud", "permanent");
  }

  /** From now on nothing is lost. */
  void mend() throws IOException, InterruptedException {
    while (!cut.isEmpty()) {
      within("neigh", "del", cut.remove(cut.size() - 1), "dev", inner);
    }
  }

  /** Whether an address answers from within: an attempt to connect ends, be it by a refusal. */
  boolean reaches(Role role, int number) throws IOException, InterruptedException {
    String connect = "exec 3<>/dev/tcp/" + host(role, number) + "/" + CLOSED_PORT;
    List<String> command =
        List.of("ip", "netns", "exec", name, "timeout", "2", "bash", "-c", connect);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    return process.waitFor() != TIMED_OUT;
  }

  private void within(String... command) throws IOException, InterruptedException {
    ip(Stream.concat(Stream.of("-n", name), Stream.of(command)).toArray(String[]::new));
  }

  private static void ip(String... arguments) throws IOException, InterruptedException {
    List<String> command = Stream.concat(Stream.of("ip"), Stream.of(arguments)).toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output.strip());
    }
  }

  /** Removes it; what still runs in it keeps it, unnamed, until it ends. */
  @Override
  public void close() {
    removeQuietly();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // the hook runs, and finds it removed
    }
  }

  private void removeQuietly() {
    if (!closed.compareAndSet(false, true) || !made) {
      return;
    }
    try {
      remove("link", "del", outer);
      remove("netns", "del", name);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void remove(String... arguments) throws InterruptedException {
    try {
      ip(arguments);
    } catch (IOException e) {
      System.err.println("grampus: " + e.getMessage());
    }
  }
}
