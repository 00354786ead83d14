package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

class ScannerLeaseTest {
  private long now = 1000;

  @Test
  void aLeaseIsRenewedAfterAThirdOfIt() throws IOException {
    FakeTable table = new FakeTable();
    ResultScanner scanner = table.open(new Scan());
    ScannerLease lease = new ScannerLease(600, () -> now);
    assertFalse(lease.renewIfDue(scanner));
    now += 199;
    assertFalse(lease.renewIfDue(scanner));
    now += 1;
    assertTrue(lease.renewIfDue(scanner));
    assertFalse(lease.renewIfDue(scanner));
    now += 10_000;
    assertTrue(lease.renewIfDue(scanner));
    assertEquals(2, table.renewals());
  }

  @Test
  void aClientIsLeftAloneWhereARenewalMayLoseRows() {
    Configuration conf = new Configuration(false);
    assertFalse(ScannerLease.mayLoseRows(conf, new Scan()));
    assertTrue(ScannerLease.mayLoseRows(conf, new Scan().setAsyncPrefetch(true)));
    conf.setBoolean("hbase.client.scanner.async.prefetch", true);
    assertTrue(ScannerLease.mayLoseRows(conf, new Scan()));
    assertFalse(ScannerLease.mayLoseRows(conf, new Scan().setAsyncPrefetch(false)));
    conf.unset("hbase.client.scanner.async.prefetch");
    assertTrue(ScannerLease.mayLoseRows(conf, new Scan().setConsistency(Consistency.TIMELINE)));
  }
}
