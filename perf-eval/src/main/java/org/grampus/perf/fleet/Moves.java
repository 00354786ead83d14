package org.grampus.perf.fleet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Moves of regions, several at a time. For one thread. */
final class Moves implements AutoCloseable {
  private static final int AT_A_TIME = 32;

  private final Connection connection;
  private final ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
  private final List<Future<?>> ordered = new ArrayList<>();

  Moves(Connection connection) {
    this.connection = connection;
  }

  /** Orders a move. */
  void add(RegionInfo region, ServerName destination) {
    ordered.add(threads.submit(() -> move(region, destination)));
  }

  private Void move(RegionInfo region, ServerName destination) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.move(region.getEncodedNameAsBytes(), destination);
      return null;
    }
  }

  /** Waits for all that were ordered; the first failure is thrown. */
  @Override
  public void close() throws IOException {
    try {
      for (Future<?> move : ordered) {
        move.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a move has failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while regions move", e);
    } finally {
      threads.shutdownNow();
    }
  }
}
