package org.grampus.server.region;

import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * What holds for requests to a region that say nothing of it: settings of the server, which a table
 * or a family may have of its own, as in HBase's {@code HRegion} and {@code HStore}.
 *
 * @param loadsOnDemand whether families that no filter needs are read for rows alone that it keeps
 * @param verifiesLoads whether bulk loads look at every byte of their files, as soon as one family
 *     wants it
 */
public record RegionDefaults(boolean loadsOnDemand, boolean verifiesLoads) {
  /** Those of a server without settings. */
  public static final RegionDefaults HBASE = new RegionDefaults(true, false);

  private static final String VERIFY_KEY = "hbase.hstore.bulkload.verify";

  /** Those of a table's regions on a server. */
  static RegionDefaults of(TableDescriptor table, Configuration server) {
    Configuration own = new CompoundConfiguration().add(server).addBytesMap(table.getValues());
    return new RegionDefaults(
        own.getBoolean(HRegion.LOAD_CFS_ON_DEMAND_CONFIG_KEY, HBASE.loadsOnDemand),
        Stream.of(table.getColumnFamilies())
            .map(
                family ->
                    new CompoundConfiguration()
                        .add(server)
                        .addBytesMap(table.getValues())
                        .addStringMap(family.getConfiguration())
                        .addBytesMap(family.getValues()))
            .anyMatch(family -> family.getBoolean(VERIFY_KEY, HBASE.verifiesLoads)));
  }
}
