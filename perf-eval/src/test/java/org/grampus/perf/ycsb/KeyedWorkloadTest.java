package org.grampus.perf.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import site.ycsb.BasicDB;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

final class KeyedWorkloadTest {
  private static final int RECORDS = 100;

  private final List<String> inserted = new ArrayList<>();

  /** Keeps the keys of inserts. */
  private final class Keys extends BasicDB {
    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> fields) {
      inserted.add(key);
      return Status.OK;
    }
  }

  @Test
  void keysAreThoseOfInsertsBehindTheRecords() throws Exception {
    Properties properties = CoreMix.D.properties(RECORDS, 10);
    KeyedWorkload workload = KeyedWorkload.begin(properties);
    for (int insert = 0; insert < 3; insert++) {
      workload.doTransactionInsert(new Keys());
    }

    assertEquals(LongStream.range(RECORDS, RECORDS + 3).mapToObj(workload::key).toList(), inserted);
  }
}
