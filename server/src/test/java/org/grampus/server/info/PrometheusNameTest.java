package org.grampus.server.info;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.hbase.http.prometheus.PrometheusHadoopServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against HBase's own conversion. */
class PrometheusNameTest {
  private static final int NAMES = 100_000;

  /** Of each kind that HBase's expression tells apart, and what has an ASCII title case. */
  private static final int[] CODE_POINTS =
      "aazzAAZZ09__-.: \u00e4\u00c4\u00df\u01c6\u0131\u017f\ud83d\udc2c{`@[/\ud83d"
          .codePoints()
          .toArray();

  private static String ours(String record, String metric) {
    return new String(PrometheusName.of(record, metric), StandardCharsets.US_ASCII);
  }

  private static String hbases(String record, String metric) throws ReflectiveOperationException {
    Method method =
        PrometheusHadoopServlet.class.getDeclaredMethod(
            "toPrometheusName", String.class, String.class);
    method.setAccessible(true);
    return (String) method.invoke(null, record, metric);
  }

  @ParameterizedTest
  @CsvSource({
    "Server, regionCount, server_region_count",
    "IPC, RpcQueueTime_99th_percentile, ipc_rpc_queue_time_99th_percentile",
    "Regions, Namespace_default_table_T-1_region_0a_metric_storeCount,"
        + " regions_namespace_default_table_t_1_region_0a_metric_store_count",
    "JvmMetrics, GcCountG1 Young Generation, jvm_metrics_gc_count_g1_young_generation",
  })
  void knownNamesAreHBases(String record, String metric, String expected)
      throws ReflectiveOperationException {
    assertEquals(expected, ours(record, metric));
    assertEquals(expected, hbases(record, metric));
  }

  @Test
  void randomNamesAreHBases() throws ReflectiveOperationException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int n = 0; n < NAMES; n++) {
      String record = name(random);
      String metric = name(random);
      assertEquals(
          hbases(record, metric),
          ours(record, metric),
          () -> "'" + record + "' '" + metric + "', seed " + seed);
    }
  }

  private static String name(Random random) {
    StringBuilder name = new StringBuilder();
    for (int left = random.nextInt(10); left > 0; left--) {
      name.appendCodePoint(CODE_POINTS[random.nextInt(CODE_POINTS.length)]);
    }
    return name.toString();
  }
}
