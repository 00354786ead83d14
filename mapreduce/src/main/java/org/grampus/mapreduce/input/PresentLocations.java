package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * The locations of a table without the null that HBase's client has in the place of a replica that
 * is missing in meta: HBase's own code that walks the list fails at it. Any thread.
 *
 * @param all what HBase's client says
 */
public record PresentLocations(RegionLocator all) implements RegionLocator {
  @Override
  public List<HRegionLocation> getAllRegionLocations() throws IOException {
    return all.getAllRegionLocations().stream().filter(Objects::nonNull).toList();
  }

  @Override
  public HRegionLocation getRegionLocation(byte[] row, int replica, boolean reload)
      throws IOException {
    return all.getRegionLocation(row, replica, reload);
  }

  @Override
  public List<HRegionLocation> getRegionLocations(byte[] row, boolean reload) throws IOException {
    return all.getRegionLocations(row, reload);
  }

  @Override
  public void clearRegionLocationCache() {
    all.clearRegionLocationCache();
  }

  @Override
  public TableName getName() {
    return all.getName();
  }

  @Override
  public void close() throws IOException {
    all.close();
  }
}
