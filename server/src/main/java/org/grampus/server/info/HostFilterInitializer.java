package org.grampus.server.info;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.http.FilterInitializer;

/** Puts {@link HostFilter} in front of every page. */
public final class HostFilterInitializer extends FilterInitializer {
  private static final String KEY = "hbase.http.filter.initializers";

  /** Adds the filter to those of a configuration, once. */
  static void addTo(Configuration conf) {
    String ours = HostFilterInitializer.class.getName();
    if (!conf.getTrimmedStringCollection(KEY).contains(ours)) {
      String others = conf.get(KEY, "");
      conf.set(KEY, others.isEmpty() ? ours : ours + "," + others);
    }
  }

  @Override
  public void initFilter(FilterContainer container, Configuration conf) {
    container.addGlobalFilter("host", HostFilter.class.getName(), Map.of());
  }
}
