package org.grampus.perf.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Sends the standard error of this process to a file for a while: HBase's client prints the stack
 * of each look into hbase:meta that fails there ({@code
 * RpcRetryingCallerWithReadReplicas.throwEnrichedException}).
 */
public final class ClientNoise implements AutoCloseable {
  private final PrintStream before = System.err;
  private final Path log;
  private final PrintStream file;

  /** Begins. */
  public ClientNoise(Path log) throws IOException {
    this.log = log;
    file = new PrintStream(log.toFile(), StandardCharsets.UTF_8);
    System.setErr(file);
  }

  /** The file. */
  public Path log() {
    return log;
  }

  @Override
  public void close() {
    System.setErr(before);
    file.close();
  }
}
