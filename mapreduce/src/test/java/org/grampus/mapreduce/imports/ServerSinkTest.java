package org.grampus.mapreduce.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.mapreduce.server.JobServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows count once servers have acknowledged them: what is told here is what counters have. */
class ServerSinkTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final TableName NAME = TableName.valueOf("ServerSinkTest");

  private Admin admin;
  private long rows;
  private long cells;

  @BeforeEach
  void create() throws Exception {
    admin = JobServer.get().connection().getAdmin();
    admin.createTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build());
  }

  @AfterEach
  void drop() throws IOException {
    admin.disableTable(NAME);
    admin.deleteTable(NAME);
    admin.close();
  }

  private ServerSink open() throws Exception {
    Configuration conf = JobServer.get().configuration();
    conf.setInt("hbase.client.keyvalue.maxsize", 0); // the server's own limit is 10 MiB
    return ServerSink.open(
        conf,
        NAME,
        (moreRows, moreCells) -> {
          rows += moreRows;
          cells += moreCells;
        });
  }

  private static Put row(String key, int bytes) {
    return new Put(Bytes.toBytes(key)).addColumn(F, F, 1, new byte[bytes]);
  }

  @Test
  void whatServersRefuseIsNotCounted() throws Exception {
    try (ServerSink sink = open()) {
      sink.write(row("a", 1));
      sink.write(row("b", 1).addColumn(F, null, 1, F));
      assertEquals(0, rows, "nothing is sent yet");
      sink.flush();
      assertEquals(2, rows);
      assertEquals(3, cells);
      IOException refusal =
          assertThrows(
              IOException.class,
              () -> {
                sink.write(row("c", 11 << 20));
                sink.flush();
              });
      assertTrue(refusal.getMessage().contains("has not taken 1 of 1 rows"), "" + refusal);
      assertEquals(2, rows);
    }
  }

  @Test
  void whatIsKeptIsNeitherSentNorCounted() throws Exception {
    try (ServerSink sink = open()) {
      sink.write(row("a", 1));
    }
    assertEquals(0, rows);
  }
}
