package org.grampus.perf.pe.work;

import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FilterAllFilter;

/** Makes the scans of a test: how they ask, and for which columns. Immutable. */
final class Scans {
  private final TestClient client;
  private final Columns columns;
  private final boolean filtered;

  Scans(TestClient client, Columns columns) {
    this.client = client;
    this.columns = columns;
    this.filtered = client.options().reads().filterAll();
  }

  /** A scan of all rows. */
  Scan scan() {
    Scan scan = client.task().settings().scan().to(new Scan());
    columns.addTo(scan);
    if (filtered) {
      scan.setFilter(new FilterAllFilter());
    }
    if (client.options().table().replicas() > 1) {
      scan.setConsistency(Consistency.TIMELINE);
    }
    return scan;
  }
}
