package org.grampus.perf.judges;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.grampus.perf.ToolException;

/** The judges by name, in the order in which they judge. */
public final class Judges {
  private static final int ACID_SECONDS = 60;
  private static final int ORDERS = 8;

  /** One row of the linked list is as much work as a fourth of a row of the others. */
  private static final int PART = 4;

  private final Map<String, Judge> all = new LinkedHashMap<>();

  /**
   * All of them.
   *
   * @param rows about how many the linked list has; others have fewer
   */
  public Judges(int rows) {
    all.put("big-linked-list", new BigLinkedList(rows));
    all.put("load-test", new LoadTest(Math.max(1, rows / PART)));
    all.put("acid-guarantees", new AcidGuarantees(ACID_SECONDS));
    all.put("row-counter", new RowCount(rows));
    all.put("splits-and-merges", new SplitsAndMerges(ORDERS));
    all.put("balance", new Balance());
    all.put("jobs-on-hdfs", new JobsOnHdfs(Math.max(1, rows / PART)));
    all.put("canary", new Canary());
    all.put("hbck", new Hbck());
  }

  /**
   * Those whose names begin with one of these, or all.
   *
   * @throws ToolException when there is none
   */
  public Map<String, Judge> named(List<String> prefixes) throws ToolException {
    Map<String, Judge> named = new LinkedHashMap<>(all);
    named
        .keySet()
        .removeIf(name -> !prefixes.isEmpty() && prefixes.stream().noneMatch(name::startsWith));
    if (named.isEmpty()) {
      throw new ToolException("no judge is called so; there are " + all.keySet());
    }
    return named;
  }
}
