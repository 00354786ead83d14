package org.grampus.server.assignment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.CompactionState;
import org.grampus.engine.RegionStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HBase's rules for automatic splits, by policy. Sizes are in MB. */
class SplitPolicyTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final String PACKAGE = "org.apache.hadoop.hbase.regionserver.";
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(NAME)
          .setStartKey(Bytes.toBytes("b"))
          .setEndKey(Bytes.toBytes("y"))
          .build();

  private final Configuration conf = new Configuration(false);
  private final TableDescriptorBuilder table =
      TableDescriptorBuilder.newBuilder(NAME)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));

  SplitPolicyTest() {
    conf.set("hbase.hregion.max.filesize.jitter", "0");
    conf.set("hbase.hregion.max.filesize", String.valueOf(megabytes(1000)));
    conf.set("hbase.hregion.memstore.flush.size", String.valueOf(megabytes(10)));
  }

  private static long megabytes(long count) {
    return count << 20;
  }

  private SplitPolicy policy() throws IOException {
    return SplitPolicy.of(REGION, table.build(), conf);
  }

  private SplitPolicy policy(String name) throws IOException {
    table.setRegionSplitPolicyClassName(PACKAGE + name);
    return policy();
  }

  static RegionStats stats(boolean references, long... storeMegabytes) {
    List<RegionStats.Store> stores = new ArrayList<>();
    long sum = 0;
    for (long store : storeMegabytes) {
      stores.add(new RegionStats.Store(new byte[] {0x66}, 1, megabytes(store), 0));
      sum += megabytes(store);
    }
    return new RegionStats(
        0,
        sum,
        stores.size(),
        1,
        references ? 1 : 0,
        new RegionStats.FileParts(sum, sum, 0, 0, 0),
        new RegionStats.Readers(0, 0),
        new RegionStats.FileTimes(0, 0, 0),
        0,
        new RegionStats.Compaction(CompactionState.NONE, 0, 0, 0),
        new RegionStats.Compacted(0, 0, 0, 0),
        new RegionStats.Blooms(0, 0, 0),
        stores);
  }

  private static boolean isDue(SplitPolicy policy, int regions, long... storeMegabytes) {
    return policy.isDue(stats(false, storeMegabytes), regions);
  }

  @ParameterizedTest
  @CsvSource({
    "SteppingSplitPolicy, 1, 20",
    "SteppingSplitPolicy, 2, 1000",
    "ConstantSizeRegionSplitPolicy, 1, 1000",
    "IncreasingToUpperBoundRegionSplitPolicy, 1, 20",
    "IncreasingToUpperBoundRegionSplitPolicy, 2, 160",
    "IncreasingToUpperBoundRegionSplitPolicy, 4, 1000",
    "IncreasingToUpperBoundRegionSplitPolicy, 101, 1000",
    "BusyRegionSplitPolicy, 2, 160",
    "KeyPrefixRegionSplitPolicy, 2, 160",
    "DelimitedKeyPrefixRegionSplitPolicy, 2, 160",
  })
  void aRegionSplitsBeyondTheLimitOfItsPolicy(String name, int regions, long limit)
      throws IOException {
    SplitPolicy policy = policy(name);
    assertFalse(isDue(policy, regions, limit));
    assertTrue(isDue(policy, regions, limit + 1));
  }

  @Test
  void theDefaultIsStepping() throws IOException {
    assertTrue(isDue(policy(), 1, 21));
    assertFalse(isDue(policy(), 2, 21));
  }

  @Test
  void theServersPolicyCountsWhereTheTableNamesNone() throws IOException {
    conf.set("hbase.regionserver.region.split.policy", PACKAGE + "ConstantSizeRegionSplitPolicy");
    assertFalse(isDue(policy(), 1, 999));
    assertTrue(isDue(policy("SteppingSplitPolicy"), 1, 999));
  }

  @Test
  void theTablesAttributesGoBeforeTheServers() throws IOException {
    table.setMaxFileSize(megabytes(5));
    assertTrue(isDue(policy("ConstantSizeRegionSplitPolicy"), 1, 6));
    table.setMemStoreFlushSize(megabytes(1));
    assertTrue(isDue(policy("SteppingSplitPolicy"), 1, 3));
    table.setValue("hbase.increasing.policy.initial.size", String.valueOf(megabytes(4)));
    assertFalse(isDue(policy("SteppingSplitPolicy"), 1, 4));
  }

  @Test
  void oneStoreDecidesUnlessAllCount() throws IOException {
    assertFalse(isDue(policy(), 1, 15, 15));
    conf.setBoolean("hbase.hregion.split.overallfiles", true);
    assertTrue(isDue(policy(), 1, 15, 15));
  }

  @Test
  void referencesKeepARegionWhole() throws IOException {
    assertFalse(policy().isDue(stats(true, 5000), 1));
  }

  @Test
  void someTablesNeverSplitByThemselves() throws IOException {
    assertFalse(isDue(policy("DisabledRegionSplitPolicy"), 1, 5000));
    table.setRegionSplitPolicyClassName(ForeignPolicy.class.getName());
    assertFalse(isDue(policy(), 1, 5000));
    table.setRegionSplitPolicyClassName(PACKAGE + "SteppingSplitPolicy").setSplitEnabled(false);
    assertFalse(isDue(policy(), 1, 5000));
    SplitPolicy namespaces =
        SplitPolicy.of(
            RegionInfoBuilder.newBuilder(TableName.NAMESPACE_TABLE_NAME).build(),
            TableDescriptorBuilder.newBuilder(TableName.NAMESPACE_TABLE_NAME).build(),
            conf);
    assertFalse(isDue(namespaces, 1, 5000));
  }

  @Test
  void anUnknownClassIsAnError() {
    table.setRegionSplitPolicyClassName("org.example.NoSuchPolicy");
    assertThrows(IOException.class, this::policy);
  }

  @Test
  void theJitterMovesTheLimitByAnEighthAtMost() throws IOException {
    conf.unset("hbase.hregion.max.filesize.jitter");
    SplitPolicy policy = policy("ConstantSizeRegionSplitPolicy");
    assertFalse(isDue(policy, 1, 874));
    assertTrue(isDue(policy, 1, 1126));
  }

  @Test
  void thePolicySaysWhetherARegionCanBeSplitAtAll() throws IOException {
    for (String name :
        new String[] {
          "ConstantSizeRegionSplitPolicy",
          "SteppingSplitPolicy",
          "BusyRegionSplitPolicy",
          "KeyPrefixRegionSplitPolicy",
          "DelimitedKeyPrefixRegionSplitPolicy",
          "IncreasingToUpperBoundRegionSplitPolicy",
        }) {
      assertTrue(policy(name).canSplit(stats(false, 1)), name);
      assertFalse(policy(name).canSplit(stats(true, 1)), name);
    }
    assertFalse(policy("DisabledRegionSplitPolicy").canSplit(stats(false, 1)));
    table.setRegionSplitPolicyClassName(NeverSplit.class.getName());
    assertFalse(policy().canSplit(stats(false, 1)));
    RegionInfo meta = RegionInfoBuilder.FIRST_META_REGIONINFO;
    assertFalse(SplitPolicy.of(meta, table.build(), conf).canSplit(stats(false, 1)));
  }

  /** A policy of the user's own. */
  public static class NeverSplit extends DisabledRegionSplitPolicy {}

  private static String row(SplitPolicy policy, String middle) throws IOException {
    byte[] row = policy.row(Bytes.toBytes(middle));
    return row == null ? null : Bytes.toString(row);
  }

  @Test
  void theRowIsTheMiddleInsideTheRegion() throws IOException {
    assertEquals("m", row(policy(), "m"));
    assertNull(row(policy(), "b"), "the first row divides nothing");
    assertNull(row(policy(), "z"), "outside");
    assertNull(policy().row(null), "no data");
  }

  @Test
  void prefixesStayTogether() throws IOException {
    table.setValue("KeyPrefixRegionSplitPolicy.prefix_length", "2");
    assertEquals("mm", row(policy("KeyPrefixRegionSplitPolicy"), "mmxyz"));
    assertEquals("m", row(policy("KeyPrefixRegionSplitPolicy"), "m"));
    table.setValue("DelimitedKeyPrefixRegionSplitPolicy.delimiter", "_");
    assertEquals("user", row(policy("DelimitedKeyPrefixRegionSplitPolicy"), "user_17_x"));
    assertEquals("plain", row(policy("DelimitedKeyPrefixRegionSplitPolicy"), "plain"));
  }

  @Test
  void aRestrictionOfTheTableShortensTheRow() throws IOException {
    table.setValue("hbase.regionserver.region.split_restriction.type", "KeyPrefix");
    table.setValue("hbase.regionserver.region.split_restriction.prefix_length", "3");
    assertArrayEquals(Bytes.toBytes("mno"), policy().row(Bytes.toBytes("mnopq")));
  }

  /** A policy of a user's own. */
  static final class ForeignPolicy
      extends org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy {}
}
