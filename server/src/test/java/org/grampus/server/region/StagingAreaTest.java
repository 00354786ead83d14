package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories of loads. */
class StagingAreaTest {
  @TempDir Path root;

  @Test
  void tablesAndUsersOfAllNamesGetTokens() throws IOException {
    StagingArea staging = new StagingArea(root);
    String umlauts = "t\u00e4belle\u8868";
    for (String table : new String[] {"t", "ns:t", umlauts, "ns:" + umlauts, "x".repeat(250)}) {
      for (String user : new String[] {"root", "\u00fc/../x", "u".repeat(300), ""}) {
        String token = staging.prepare(user, TableName.valueOf(table));
        assertTrue(staging.isPrepared(token), token);
        staging.cleanUp(token);
        assertFalse(staging.isPrepared(token), token);
      }
    }
  }
}
