package org.grampus.server.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStatusService;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.grampus.server.env.Env;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls to the active master, wherever it is now. A failed call makes the next one look the master
 * up again.
 */
public final class MasterLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MasterLink.class);

  private static final long PAUSE_MIN_MILLIS = 50;
  private static final long PAUSE_MAX_MILLIS = 1000;

  /** One call to the master. */
  @FunctionalInterface
  public interface Call<T> {
    /** Makes the call on a stub. */
    T make(RegionServerStatusService.BlockingInterface master) throws ServiceException;
  }

  private final Supplier<Optional<ServerName>> active;
  private final RpcClient client;
  private final int timeoutMillis;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile RegionServerStatusService.BlockingInterface stub;

  /** A link to the master that is active, as far as is known, whenever a call needs one. */
  public MasterLink(Configuration conf, Supplier<Optional<ServerName>> active, String clusterId) {
    this.active = active;
    this.client = RpcClientFactory.createClient(conf, clusterId);
    this.timeoutMillis = conf.getInt("hbase.rpc.shortoperation.timeout", 10_000);
  }

  /** Makes a call once; a failure is thrown with the remote exception unwrapped. */
  public <T> T call(Call<T> call) throws IOException {
    RegionServerStatusService.BlockingInterface current = stub();
    try {
      return call.make(current);
    } catch (ServiceException e) {
      stub = null;
      throw ProtobufUtil.getRemoteException(e);
    }
  }

  /**
   * Makes a call until the master answers: reports are never given up, since the master waits for
   * them without a time limit. Ends with InterruptedException once the link is closed.
   */
  public <T> T callUntilAnswered(String what, Call<T> call) throws InterruptedException {
    for (int tries = 0; ; tries++) {
      if (closed.get()) {
        throw new InterruptedException("stopped before the master answered: " + what);
      }
      try {
        return call(call);
      } catch (IOException e) {
        LOG.info("{} was not answered ({} tries), trying again: {}", what, tries + 1, e.toString());
        Env.sleep(
            Duration.ofMillis(Math.min(PAUSE_MAX_MILLIS, PAUSE_MIN_MILLIS << Math.min(tries, 5))));
      }
    }
  }

  private RegionServerStatusService.BlockingInterface stub() throws IOException {
    RegionServerStatusService.BlockingInterface current = stub;
    if (current != null) {
      return current;
    }
    ServerName master =
        active.get().orElseThrow(() -> new IOException("ZooKeeper names no active master"));
    RegionServerStatusService.BlockingInterface fresh =
        RegionServerStatusService.newBlockingStub(
            client.createBlockingRpcChannel(master, User.getCurrent(), timeoutMillis));
    stub = fresh;
    return fresh;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      client.close();
    }
  }
}
