package org.grampus.perf.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import site.ycsb.BasicDB;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

final class TimedDatabaseTest {
  /** Updates fail. */
  private static final class Failing extends BasicDB {
    @Override
    public Status update(String table, String key, Map<String, ByteIterator> fields) {
      return Status.ERROR;
    }

    @Override
    public Status delete(String table, String key) {
      return Status.OK;
    }
  }

  @Test
  void everyCallIsMeasuredAndFailuresAreCounted() {
    TimedDatabase database = new TimedDatabase(new Failing());
    database.delete("t", "key");
    assertNull(database.lastError());

    assertEquals(Status.ERROR, database.update("t", "key", new HashMap<>()));

    assertEquals(2, database.micros().getTotalCount());
    assertEquals(1, database.errors());
    assertEquals(Status.ERROR, database.lastError());
  }
}
