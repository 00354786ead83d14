package org.grampus.perf.pe.work;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.pe.key.MetaKeys;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.RowPlan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows of hbase:meta for regions that do not exist: written, looked up or removed, as HBase's tests
 * of meta do it. They belong to the table of the run.
 */
final class MetaRows extends RowTest {
  private static final Logger LOG = LoggerFactory.getLogger(MetaRows.class);

  /** The server that is said to have them; no client asks it. */
  private static final String HOST = "localhost";

  private static final int PORT = 60010;

  private TestClient client;
  private Tally tally;
  private MetaKeys keys;
  private RegionLocator locator;

  @Override
  public void open(TestClient ofTest) throws IOException {
    client = ofTest;
    tally = client.tally();
    keys = RowPlan.of(client.options()).metaKeys();
    locator = connection().getRegionLocator(client.table());
  }

  private Connection connection() {
    return client.connection().sync();
  }

  @Override
  public Step row(long row) throws IOException {
    tally.ask(1);
    boolean done =
        switch (client.options().command()) {
          case META_WRITE -> write(row);
          case CLEAN_META -> remove(row);
          default -> locate(row);
        };
    tally.answered(1);
    if (done) {
      tally.rows(1);
      tally.bytes(keys.of(row).length);
    } else {
      tally.missing(1);
    }
    return Step.SENT;
  }

  private boolean locate(long row) throws IOException {
    return locator.getRegionLocation(keys.of(row), true) != null;
  }

  private boolean write(long row) throws IOException {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(client.table())
            .setStartKey(keys.of(row))
            .setEndKey(keys.of(row + 1))
            .build();
    MetaTableAccessor.addRegionsToMeta(connection(), List.of(region), 1);
    MetaTableAccessor.updateRegionLocation(
        connection(),
        region,
        ServerName.valueOf(HOST, PORT, row + 1),
        row,
        client.clock().epochMillis(client.clock().nanos()));
    return true;
  }

  /**
   * The table's own region stays: a key that no region of {@code metaWrite} begins with is none.
   */
  private boolean remove(long row) throws IOException {
    HRegionLocation location = locator.getRegionLocation(keys.of(row), true);
    if (location == null || !Bytes.equals(location.getRegion().getStartKey(), keys.of(row))) {
      LOG.warn("cannot find region with start key: {}", Bytes.toString(keys.of(row)));
      return false;
    }
    try (Table meta = connection().getTable(TableName.META_TABLE_NAME)) {
      meta.delete(
          MetaTableAccessor.makeDeleteFromRegionInfo(
              location.getRegion(), HConstants.LATEST_TIMESTAMP));
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    if (locator != null) {
      locator.close();
    }
  }
}
