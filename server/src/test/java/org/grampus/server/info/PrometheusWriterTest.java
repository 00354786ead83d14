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
class PrometheusWriterTest {
  private static List<MetricsRecord> records(int gauges) {
    return List.of(record("Server", gauges));
  }

  private static MetricsRecord record(String name, int gauges) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    MetricsRecordBuilder record = collector.addRecord(name);
    record.setContext("regionserver");
    record.tag(Interns.info("Hostname", "host"), "gr\u00fcn");
    record.addCounter(Interns.info("readCount", "reads of all regions"), Long.MAX_VALUE);
    record.addGauge(Interns.info("load", ""), -1.5);
    for (int n = 0; n < gauges; n++) {
      record.addGauge(Interns.info("g" + n, ""), n);
    }
    return collector.getRecords().get(0);
  }

  private static String text(List<MetricsRecord> records, boolean described, String part)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new PrometheusWriter().write(records, described, part, out);
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

  private static String next(PrometheusWriter writer, List<MetricsRecord> records)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.write(records, false, "", out);
    return out.toString(UTF_8);
  }

  /** Names are kept from the text before. */
  @Test
  void aTextOfOtherMetricsAndRecordsIsThatOfANewWriter() throws IOException {
    PrometheusWriter writer = new PrometheusWriter();
    List<MetricsRecord> many = records(10);
    List<MetricsRecord> few = records(3);
    List<MetricsRecord> both = List.of(record("Regions", 4), few.get(0));
    List<MetricsRecord> none = List.of();
    for (List<MetricsRecord> records : List.of(many, few, both, many, none, both)) {
      assertEquals(text(records, false, ""), next(writer, records));
    }
  }

  @Test
  void numbersAreTheirText() throws IOException {
    long[] numbers = {0, 9, 10, 99, 100, Integer.MAX_VALUE, -1, Long.MIN_VALUE, Long.MAX_VALUE};
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    MetricsRecordBuilder record = collector.addRecord("Numbers");
    StringBuilder expected = new StringBuilder();
    for (long number : numbers) {
      record.addCounter(Interns.info("c", ""), number);
      record.addGauge(Interns.info("g", ""), (int) number);
      record.addGauge(Interns.info("f", ""), (float) number);
      expected.append("numbers_c{} ").append(number).append('\n');
      expected.append("numbers_g{} ").append((int) number).append('\n');
      expected.append("numbers_f{} ").append((float) number).append('\n');
    }
    String text = text(List.copyOf(collector.getRecords()), false, "");
    assertEquals(expected.toString(), text.replaceAll("(?m)^# TYPE .*\n", ""));
  }

  @Test
  void aNameIsNotCutWhereItIsLongerThanTheBuffer() throws IOException {
    String name = "n".repeat(TextBuffer.BYTES + 1);
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    MetricsRecordBuilder record = collector.addRecord("Numbers");
    record.addGauge(Interns.info(name, ""), 1);
    String expected = "# TYPE numbers_" + name + " gauge\nnumbers_" + name + "{} 1\n";
    assertEquals(expected, text(List.copyOf(collector.getRecords()), false, ""));
  }
}
