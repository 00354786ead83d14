package org.grampus.perf.fleet;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One thing that a cluster with many servers did.
 *
 * @param name in a table
 * @param items that it was about: regions, servers, reports
 * @param seconds until it was over
 * @param masterCpuSeconds of the masters
 * @param metaCpuSeconds of the server that has hbase:meta
 * @param nameNodeCpuSeconds of the name node
 * @param reports of load meanwhile
 */
public record Phase(
    String name,
    long items,
    double seconds,
    double masterCpuSeconds,
    double metaCpuSeconds,
    double nameNodeCpuSeconds,
    ReportCounts reports) {
  /** Its figures by name, for a result. */
  public Map<String, Object> figures() {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("items", items);
    figures.put("seconds", seconds);
    figures.put("masterCpuSeconds", masterCpuSeconds);
    figures.put("metaCpuSeconds", metaCpuSeconds);
    figures.put("nameNodeCpuSeconds", nameNodeCpuSeconds);
    figures.put("reportsTaken", reports.taken());
    figures.put("reportsLate", reports.late());
    figures.put("reportsMissed", reports.missed());
    return figures;
  }
}
