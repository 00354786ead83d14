package org.grampus.mapreduce.server;

import java.nio.file.Path;
import java.util.List;

/** How tests start a JVM that is a client's. */
final class ClientJvm {
  /** Up to the class path. It lives for seconds: a second compiler costs more than it saves. */
  static final List<String> COMMAND =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-Xmx1g",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "--add-opens=java.base/java.nio=ALL-UNNAMED");

  private ClientJvm() {}
}
