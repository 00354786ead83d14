package org.grampus.server.info;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.metrics.Interns;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.Test;

/** The text of records whose values are known; InfoPortTest compares a server's with HBase's. */
class PrometheusServletTest {
  private static List<MetricsRecord> records(int gauges) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    MetricsRecordBuilder record = collector.addRecord("Server");
    record.setContext("regionserver");
    record.tag(Interns.info("Hostname", "host"), "gr\u00fcn");
    record.addCounter(Interns.info("readCount", "reads of all regions"), Long.MAX_VALUE);
    record.addGauge(Interns.info("load", ""), -1.5);
    for (int n = 0; n < gauges; n++) {
      record.addGauge(Interns.info("g" + n, ""), n);
    }
    return List.copyOf(collector.getRecords());
  }

  private static String text(List<MetricsRecord> records, boolean described, String part)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusServlet.write(records, described, part, out);
    return out.toString(UTF_8);
  }

  @Test
  void countersAndGaugesWithTheirLabelsAndValues() throws IOException {
    assertEquals(
        """
        # TYPE server_read_count counter
        server_read_count{context="regionserver",hostname="gr\u00fcn"} 9223372036854775807
        # TYPE server_load gauge
        server_load{context="regionserver",hostname="gr\u00fcn"} -1.5
        """,
        text(records(0), false, ""));
  }

  @Test
  void descriptionsWhereThereAreAny() throws IOException {
    assertEquals(
        """
        # HELP reads of all regions
        # TYPE server_read_count counter
        server_read_count{context="regionserver",hostname="gr\u00fcn"} 9223372036854775807
        # TYPE server_load gauge
        server_load{context="regionserver",hostname="gr\u00fcn"} -1.5
        """,
        text(records(0), true, ""));
  }

  @Test
  void partOfANameChoosesMetrics() throws IOException {
    assertEquals(
        """
        # TYPE server_load gauge
        server_load{context="regionserver",hostname="gr\u00fcn"} -1.5
        """,
        text(records(0), true, "r_load"));
    assertEquals("", text(records(0), true, "hostname"));
  }

  @Test
  void nothingIsLostBetweenChunks() throws IOException {
    String[] lines = text(records(1000), false, "").lines().toArray(String[]::new);
    assertEquals(2 * 1002, lines.length);
    for (int n = 0; n < 1000; n++) {
      assertEquals("# TYPE server_g" + n + " gauge", lines[4 + 2 * n]);
      assertEquals(
          "server_g" + n + "{context=\"regionserver\",hostname=\"gr\u00fcn\"} " + n,
          lines[5 + 2 * n]);
    }
  }
}
