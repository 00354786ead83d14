package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ConnectionUtils;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.NonceGenerator;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Increments and appends that the stock client sends once more with their nonces, as it does when a
 * reply is lost: the answer is the first one, wherever the row is by then.
 */
class RepeatedIncrementTest extends CompatTest {
  /** Gives the nonce that the test wants. */
  private static final class ChosenNonce implements NonceGenerator {
    private volatile long nonce;

    @Override
    public long getNonceGroup() {
      return 15;
    }

    @Override
    public long newNonce() {
      return nonce;
    }
  }

  private static long nonces = System.nanoTime();

  private final ChosenNonce chosen = new ChosenNonce();
  private NonceGenerator usual;

  @BeforeEach
  void chooseNonces() {
    usual = ConnectionUtils.injectNonceGeneratorForTesting((ClusterConnection) connection, chosen);
  }

  @AfterEach
  void leaveNoncesToTheClient() {
    ConnectionUtils.injectNonceGeneratorForTesting((ClusterConnection) connection, usual);
  }

  private static long newNonce() {
    return ++nonces;
  }

  private long increment(String row, long nonce) throws IOException {
    chosen.nonce = nonce;
    return table.incrementColumnValue(b(row), F, Q, 5);
  }

  private String append(String row, long nonce) throws IOException {
    chosen.nonce = nonce;
    Result result = table.append(new Append(b(row)).addColumn(G, Q, b("x")));
    return Bytes.toString(result.getValue(G, Q));
  }

  private List<RegionInfo> regions() throws IOException {
    return admin.getRegions(name);
  }

  @Test
  void afterAMove() throws Exception {
    long first = newNonce();
    long second = newNonce();
    assertEquals(5, increment("a", first));
    assertEquals("x", append("a", second));
    admin.move(regions().get(0).getEncodedNameAsBytes());
    assertEquals(5, increment("a", first));
    assertEquals("x", append("a", second));
    assertEquals(10, increment("a", newNonce()));
    assertEquals("xx", append("a", newNonce()));
  }

  @Test
  void afterASplitAndAMerge() throws Exception {
    long low = newNonce();
    long high = newNonce();
    assertEquals(5, increment("a", low));
    assertEquals(5, increment("x", high));
    admin.splitRegionAsync(regions().get(0).getRegionName(), b("m")).get(1, TimeUnit.MINUTES);
    assertEquals(5, increment("a", low));
    assertEquals(5, increment("x", high));

    long later = newNonce();
    assertEquals(10, increment("x", later));
    Maintenance.majorCompact(connection, name, F);
    byte[][] both = regions().stream().map(RegionInfo::getRegionName).toArray(byte[][]::new);
    assertEquals(2, both.length);
    Maintenance.merge(admin, both);
    assertEquals(5, increment("a", low));
    assertEquals(10, increment("x", later));
    assertEquals(15, increment("x", newNonce()));
    assertEquals(15, Bytes.toLong(table.get(new Get(b("x"))).getValue(F, Q)));
  }
}
