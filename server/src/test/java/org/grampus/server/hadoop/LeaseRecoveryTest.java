package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is repeated until the name node answers, or the files are closed. */
class LeaseRecoveryTest {
  private static final Path FILE = new Path("hdfs://nn/WALs/s/1");

  @TempDir java.nio.file.Path directory;

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

  /** A name node whose first answers are lost. */
  private static final class Unreachable extends FilterFileSystem {
    private int failures;
    private int asked;

    Unreachable(int failures) throws IOException {
      super(FileSystem.getLocal(new Configuration(false)));
      this.failures = failures;
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
      asked++;
      if (failures-- > 0) {
        throw new EOFException("the answer");
      }
      return super.delete(path, recursive);
    }
  }

  @Test
  void aDeletionIsRepeatedUntilItIsAnswered() throws IOException {
    java.nio.file.Path file = Files.createFile(directory.resolve("log"));
    Unreachable fs = new Unreachable(1);
    LeaseRecovery leases = new LeaseRecovery(Duration.ofMinutes(1));
    leases.delete(fs, new Path(file.toUri()));
    assertFalse(Files.exists(file));
    leases.delete(fs, new Path(file.toUri()));
    assertEquals(3, fs.asked, "what is not there is not asked for again");
  }

  @Test
  void aDeletionThatIsNotAnsweredInTimeFails() throws IOException {
    Unreachable fs = new Unreachable(Integer.MAX_VALUE);
    LeaseRecovery leases = new LeaseRecovery(Duration.ofMillis(1));
    IOException failure =
        assertThrows(IOException.class, () -> leases.delete(fs, new Path("/log")));
    assertTrue(failure.getMessage().startsWith("/log is not deleted after "), failure::toString);
  }
}
