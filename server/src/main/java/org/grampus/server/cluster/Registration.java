package org.grampus.server.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.ClockOutOfSyncException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.YouAreDeadException;
import org.apache.hadoop.hbase.ipc.DecommissionedHostRejectedException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupRequest;
import org.grampus.server.env.Env;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the master tells a server that reports for duty: settings, for one where the cluster's files
 * are.
 */
public record Registration(Map<String, String> settings) {
  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

  private static final long RETRY_MILLIS = 50;

  /**
   * Reports for duty and waits for a master that takes us; refusals that no retry can cure are
   * thrown. Ends with InterruptedException once this server is stopping.
   */
  public static Registration register(
      MasterLink master, ServerName server, BooleanSupplier stopping)
      throws IOException, InterruptedException {
    while (true) {
      if (stopping.getAsBoolean()) {
        throw new InterruptedException("stopped before a master took this server");
      }
      RegionServerStartupRequest request =
          RegionServerStartupRequest.newBuilder()
              .setPort(server.getPort())
              .setServerStartCode(server.getStartCode())
              .setServerCurrentTime(Env.millis())
              .setUseThisHostnameInstead(server.getHostname())
              .build();
      try {
        var reply = master.call(stub -> stub.regionServerStartup(null, request));
        return of(reply.getMapEntriesList(), server.getHostname());
      } catch (ClockOutOfSyncException
          | YouAreDeadException
          | DecommissionedHostRejectedException e) {
        throw e;
      } catch (ServerNotRunningYetException e) {
        LOG.debug("the master does not take servers yet");
      } catch (IOException e) {
        LOG.info("the master cannot be reached yet: {}", e.toString());
      }
      Env.sleep(Duration.ofMillis(RETRY_MILLIS));
    }
  }

  private static Registration of(Iterable<NameStringPair> pairs, String host) throws IOException {
    Map<String, String> settings = new HashMap<>();
    for (NameStringPair pair : pairs) {
      settings.put(pair.getName(), pair.getValue());
    }
    String seen = settings.remove(HConstants.KEY_FOR_HOSTNAME_SEEN_BY_MASTER);
    if (seen != null && !seen.equals(host)) {
      throw new IOException(
          "the master knows this server as "
              + seen
              + ", it calls itself "
              + host
              + "; set hbase.regionserver.hostname");
    }
    return new Registration(settings);
  }
}
