package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;

class LeaseRecoveryTest {
  private static final Path FILE = new Path("hdfs://nn/WALs/s/1");

  /** A file system that fails as one that is closed, or one whose name node knows no end. */
  private static DistributedFileSystem endless(CountDownLatch asked, boolean fails) {
    return new DistributedFileSystem() {
      @Override
      public boolean recoverLease(Path file) throws IOException {
        asked.countDown();
        if (fails) {
          throw new IOException("Filesystem closed");
        }
        return false;
      }

      @Override
      public boolean isFileClosed(Path file) {
        return false;
      }
    };
  }

  @Test
  void endsWithTheFileSystems() throws Exception {
    for (boolean fails : new boolean[] {true, false}) {
      LeaseRecovery leases = new LeaseRecovery(Duration.ofMinutes(15));
      CountDownLatch asked = new CountDownLatch(1);
      DistributedFileSystem fs = endless(asked, fails);
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try {
        Future<?> recovery =
            thread.submit(
                () -> {
                  leases.recover(fs, FILE);
                  return null;
                });
        asked.await();
        leases.close();
        var e = assertThrows(ExecutionException.class, () -> recovery.get(20, TimeUnit.SECONDS));
        assertTrue(e.getCause().getMessage().contains("is not recovered"), e.toString());
      } finally {
        thread.shutdownNow();
      }
    }
  }
}
