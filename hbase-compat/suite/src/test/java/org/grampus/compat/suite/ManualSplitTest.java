package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Splits that an administrator asks for, under each policy of a table. */
class ManualSplitTest extends CompatTest {
  /** So that there is more than one block, without which HBase finds no row in the middle. */
  private static final int BLOCK_BYTES = 1024;

  private static final String PACKAGE = "org.apache.hadoop.hbase.regionserver.";

  @Override
  List<ColumnFamilyDescriptor> families() {
    return List.of();
  }

  /** A table with a policy and rows {@code aa_1} to {@code zz_9}, in files. */
  private byte[] create(String policy, String key, String value) throws Exception {
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(BLOCK_BYTES).build())
            .setRegionSplitPolicyClassName(PACKAGE + policy);
    admin.createTable((key == null ? builder : builder.setValue(key, value)).build());
    for (char letter = 'a'; letter <= 'z'; letter++) {
      for (int i = 1; i <= 9; i++) {
        table.put(new Put(b("" + letter + letter + "_" + i)).addColumn(F, b("q"), b("v")));
      }
    }
    admin.flush(name);
    return admin.getRegions(name).get(0).getRegionName();
  }

  private void split(byte[] region, byte[] row) throws Exception {
    admin.splitRegionAsync(region, row).get(1, TimeUnit.MINUTES);
  }

  /** The keys at which regions begin, without the first. */
  private String borders() throws Exception {
    List<RegionInfo> regions = admin.getRegions(name);
    return String.join(
        " ",
        regions.stream()
            .map(region -> Bytes.toString(region.getStartKey()))
            .filter(key -> !key.isEmpty())
            .toList());
  }

  @Test
  void aTableWhosePolicyForbidsItIsNotSplit() throws Exception {
    byte[] region = create("DisabledRegionSplitPolicy", null, null);
    for (byte[] row : new byte[][] {b("mm"), null}) {
      IOException e = assertThrows(DoNotRetryIOException.class, () -> split(region, row));
      assertTrue(e.getMessage().contains("NOT splittable"), e::toString);
    }
    assertEquals("", borders());
  }

  @Test
  void aTableWhosePolicyLooksForLoadIsSplitWhereAsked() throws Exception {
    split(create("BusyRegionSplitPolicy", null, null), b("mm"));
    assertEquals("mm", borders());
  }

  @Test
  void aPrefixOfTheKeyStaysTogether() throws Exception {
    split(
        create("KeyPrefixRegionSplitPolicy", "KeyPrefixRegionSplitPolicy.prefix_length", "2"),
        null);
    assertEquals(2, borders().length());
  }

  @Test
  void aPrefixUpToADelimiterStaysTogether() throws Exception {
    split(
        create(
            "DelimitedKeyPrefixRegionSplitPolicy",
            "DelimitedKeyPrefixRegionSplitPolicy.delimiter",
            "_"),
        null);
    assertEquals(2, borders().length());
  }

  @Test
  void aRowAskedForIsTakenWhateverThePrefix() throws Exception {
    split(
        create("KeyPrefixRegionSplitPolicy", "KeyPrefixRegionSplitPolicy.prefix_length", "2"),
        b("kk_5"));
    assertEquals("kk_5", borders());
  }
}
