package org.grampus.server.assignment;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.DelimitedKeyPrefixRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.KeyPrefixRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.RegionSplitRestriction;
import org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.RegionStats;

/**
 * When a region is to be split without being asked, and at which row: the rules of HBase's split
 * policies, chosen by class name as HBase does (table attribute {@code SPLIT_POLICY}, then {@code
 * hbase.regionserver.region.split.policy}). HBase's own classes look at an {@code HRegion} and
 * cannot be called; the settings that they read are read here from the table first, then from the
 * server.
 *
 * <p>{@code BusyRegionSplitPolicy} splits by size only. A class that is none of HBase's never
 * splits by itself. Immutable.
 */
final class SplitPolicy {
  private static final String INITIAL_SIZE = "hbase.increasing.policy.initial.size";
  private static final String JITTER = "hbase.hregion.max.filesize.jitter";
  private static final double DEFAULT_JITTER = 0.25;

  /** More regions than this make the product of the increasing policy overflow. */
  private static final int COUNTED_REGIONS_MAX = 100;

  private final RegionInfo region;
  private final TableDescriptor table;
  private final Configuration conf;
  private final Class<? extends RegionSplitPolicy> policy;

  private SplitPolicy(
      RegionInfo region,
      TableDescriptor table,
      Configuration conf,
      Class<? extends RegionSplitPolicy> policy) {
    this.region = region;
    this.table = table;
    this.conf = conf;
    this.policy = policy;
  }

  /**
   * The policy of a region's table.
   *
   * @throws IOException when the named class is no split policy on this server's class path
   */
  static SplitPolicy of(RegionInfo region, TableDescriptor table, Configuration server)
      throws IOException {
    Configuration conf = new CompoundConfiguration().add(server).addBytesMap(table.getValues());
    return new SplitPolicy(region, table, conf, RegionSplitPolicy.getSplitPolicyClass(table, conf));
  }

  /**
   * HBase's {@code canSplit}: whether the region may be split at all, by itself or by an
   * administrator.
   */
  boolean canSplit(RegionStats stats) {
    return isDivisible() && !stats.hasReferences();
  }

  private boolean isDivisible() {
    return !region.isMetaRegion()
        && !region.getTable().equals(TableName.NAMESPACE_TABLE_NAME)
        && !DisabledRegionSplitPolicy.class.isAssignableFrom(policy);
  }

  /** Whether a region of this table may ever split by itself. */
  boolean isAutomatic() {
    return isDivisible()
        && table.isSplitEnabled()
        && policy.getPackageName().equals(RegionSplitPolicy.class.getPackageName());
  }

  /** Whether the region is large enough; references of an earlier split must be gone first. */
  boolean isDue(RegionStats stats, int regionsOfTableHere) {
    if (!isAutomatic() || !canSplit(stats)) {
      return false;
    }
    long limit = limit(regionsOfTableHere);
    if (conf.getBoolean(
        HConstants.OVERALL_HREGION_FILES, HConstants.DEFAULT_OVERALL_HREGION_FILES)) {
      return stats.storeFileBytes() > limit;
    }
    return stats.stores().stream().anyMatch(store -> store.bytes() > limit);
  }

  /** The size in bytes beyond which the region is split. */
  private long limit(int regions) {
    if (policy == ConstantSizeRegionSplitPolicy.class) {
      return maximum();
    }
    if (policy == SteppingSplitPolicy.class) {
      return regions == 1 ? initial() : maximum();
    }
    if (regions == 0 || regions > COUNTED_REGIONS_MAX) {
      return maximum();
    }
    return Math.min(maximum(), initial() * regions * regions * regions);
  }

  /**
   * HBase moves the maximum by up to an eighth, so that regions that grow together do not split
   * together: by chance at each open there, by the region's name here.
   */
  private long maximum() {
    long wanted = table.getMaxFileSize();
    if (wanted <= 0) {
      wanted = conf.getLong(HConstants.HREGION_MAX_FILESIZE, HConstants.DEFAULT_MAX_FILE_SIZE);
    }
    double chance = (region.getEncodedName().hashCode() & 0xffff) / (double) 0x10000 - 0.5;
    double jittered = wanted * (1 + chance * conf.getDouble(JITTER, DEFAULT_JITTER));
    return (long) jittered;
  }

  private long initial() {
    long configured = conf.getLong(INITIAL_SIZE, -1);
    if (configured > 0) {
      return configured;
    }
    long flushSize = table.getMemStoreFlushSize();
    if (flushSize <= 0) {
      flushSize =
          conf.getLong(
              HConstants.HREGION_MEMSTORE_FLUSH_SIZE,
              TableDescriptorBuilder.DEFAULT_MEMSTORE_FLUSH_SIZE);
    }
    return 2 * flushSize;
  }

  /**
   * The row to split at for a row in the middle of the data; null when no split is possible there.
   */
  byte[] row(byte[] middle) throws IOException {
    if (middle == null) {
      return null;
    }
    byte[] row = RegionSplitRestriction.create(table, conf).getRestrictedSplitPoint(prefix(middle));
    boolean divides = row.length > 0 && !Bytes.equals(row, region.getStartKey());
    return divides && region.containsRow(row) ? row : null;
  }

  @SuppressWarnings("deprecation") // both are out of favour for new tables, and old ones name them
  private byte[] prefix(byte[] middle) {
    int length = middle.length;
    if (policy == KeyPrefixRegionSplitPolicy.class) {
      length =
          conf.getInt(
              KeyPrefixRegionSplitPolicy.PREFIX_LENGTH_KEY,
              conf.getInt(KeyPrefixRegionSplitPolicy.PREFIX_LENGTH_KEY_DEPRECATED, 0));
    } else if (policy == DelimitedKeyPrefixRegionSplitPolicy.class) {
      String delimiter = conf.get(DelimitedKeyPrefixRegionSplitPolicy.DELIMITER_KEY, "");
      length = indexOf(middle, Bytes.toBytes(delimiter));
    }
    return length <= 0 ? middle : Arrays.copyOf(middle, Math.min(length, middle.length));
  }

  /** Where a word begins in a text; -1 when it is not there, 0 for an empty word. */
  private static int indexOf(byte[] text, byte[] word) {
    return org.apache.hbase.thirdparty.com.google.common.primitives.Bytes.indexOf(text, word);
  }
}
