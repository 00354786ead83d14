package org.grampus.server.operator;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.util.RegionMover;

/** Moves the regions of a server to others, and back. */
interface RegionMoves {
  /** For one region to be elsewhere. */
  Duration MOVE_MAX = Duration.ofSeconds(20);

  /** Regions that are on their way at a time. */
  int AT_A_TIME = 4;

  /**
   * Moves all away.
   *
   * @param moved the file that takes which these were
   * @return whether all went
   */
  boolean away(ServerName server, Path moved) throws IOException, InterruptedException;

  /**
   * Moves back.
   *
   * @param moved the file that says which
   * @return whether all came
   */
  boolean back(ServerName server, Path moved) throws IOException, InterruptedException;

  /** Those of HBase's {@code RegionMover}. */
  static RegionMoves of(Configuration conf) {
    Configuration limited = new Configuration(conf);
    limited.setInt(RegionMover.MOVE_WAIT_MAX_KEY, (int) MOVE_MAX.toSeconds());
    return new RegionMoves() {
      @Override
      public boolean away(ServerName server, Path moved) throws IOException, InterruptedException {
        try (RegionMover mover = mover(server, moved)) {
          return mover.unload();
        } catch (ExecutionException | TimeoutException e) {
          throw new IOException("cannot move the regions of " + server + " away", e);
        }
      }

      @Override
      public boolean back(ServerName server, Path moved) throws IOException, InterruptedException {
        try (RegionMover mover = mover(server, moved)) {
          return mover.load();
        } catch (ExecutionException | TimeoutException e) {
          throw new IOException("cannot move the regions of " + server + " back", e);
        }
      }

      private RegionMover mover(ServerName server, Path moved) throws IOException {
        return new RegionMover.RegionMoverBuilder(server.getAddress().toString(), limited)
            .filename(moved.toString())
            .maxthreads(AT_A_TIME)
            .build();
      }
    };
  }
}
