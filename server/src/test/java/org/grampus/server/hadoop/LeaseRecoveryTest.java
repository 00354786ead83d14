package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is repeated until the name node answers. */
class LeaseRecoveryTest {
  @TempDir java.nio.file.Path directory;

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
    assertEquals("/log is not deleted after PT0.001S", failure.getMessage());
  }
}
