package org.grampus.server.metrics;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.CompatibilitySingletonFactory;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSourceFactory;
import org.apache.hadoop.hbase.regionserver.MetricsTableAggregateSourceImpl;
import org.apache.hadoop.hbase.regionserver.MetricsTableSource;

/**
 * The tables of HBase's bean {@code sub=Tables}: exactly those with a region online. One thread.
 */
final class TableBeans implements AutoCloseable {
  /** HBase's sources of tables register with this one only. */
  private final MetricsTableAggregateSourceImpl all;

  private final TableNumbers numbers = new TableNumbers();
  private final Set<String> tables = new HashSet<>();
  private final ForgetfulBean bean;

  TableBeans() {
    all =
        (MetricsTableAggregateSourceImpl)
            CompatibilitySingletonFactory.getInstance(MetricsRegionServerSourceFactory.class)
                .getTableAggregate();
    Sources.restore(all);
    bean = new ForgetfulBean(all.getMetricsJmxContext(), all.getMetricsDescription(), all);
  }

  /** Takes the regions of a snapshot. */
  void renew(List<Snapshot.Region> regions) {
    Set<String> online = numbers.renew(regions).keySet();
    for (String gone : Set.copyOf(tables)) {
      if (!online.contains(gone)) {
        all.deleteTableSource(gone);
        tables.remove(gone);
        bean.note(true);
      }
    }
    for (String table : online) {
      if (tables.add(table)) {
        TableHistograms.add(table, all.getMetricsRegistry());
        all.getOrCreateTableSource(table, numbers);
      }
    }
  }

  /** Lets the bean forget tables that have left. */
  void forget() {
    bean.renew();
  }

  /** The source of a table; null for one without a region online. */
  MetricsTableSource source(String table) {
    return tables.contains(table) ? all.getOrCreateTableSource(table, numbers) : null;
  }

  /** Takes all tables and the bean out. */
  @Override
  public void close() {
    renew(List.of());
    Sources.remove(all);
  }
}
