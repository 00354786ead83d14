package org.grampus.perf.pe.client;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.grampus.perf.pe.work.ClientConnection;

/** Connections that clients share, of the kind that their test needs alone. It owns them. */
public final class Connections implements Closeable {
  private final List<ClientConnection> all = new ArrayList<>();

  /**
   * Opens them.
   *
   * @param count of them, above 0
   * @param async whether the test uses HBase's asynchronous client
   */
  public static Connections open(Configuration conf, int count, boolean async) throws IOException {
    Connections connections = new Connections();
    try {
      for (int i = 0; i < count; i++) {
        connections.all.add(
            async
                ? new ClientConnection(
                    null, FutureUtils.get(ConnectionFactory.createAsyncConnection(conf)))
                : new ClientConnection(ConnectionFactory.createConnection(conf), null));
      }
      return connections;
    } catch (IOException | RuntimeException e) {
      try {
        connections.close();
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  /** The one of a client. */
  public ClientConnection of(int client) {
    return all.get(client % all.size());
  }

  /** Closes all of them, also when one fails. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (ClientConnection one : all) {
      try {
        close(one);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    all.clear();
    if (failure != null) {
      throw failure;
    }
  }

  private static void close(ClientConnection one) throws IOException {
    Connection sync = one.sync();
    AsyncConnection async = one.async();
    if (sync != null) {
      sync.close();
    }
    if (async != null) {
      async.close();
    }
  }
}
