package org.grampus.server.info;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which names are kept from one text to the next. */
class PrometheusNamesTest {
  private final PrometheusNames names = new PrometheusNames("Server");

  private List<byte[]> text(String... metrics) {
    List<byte[]> text = new ArrayList<>();
    names.begin();
    for (String metric : metrics) {
      text.add(names.next(metric));
    }
    names.end();
    return text;
  }

  private static List<String> strings(List<byte[]> text) {
    return text.stream().map(name -> new String(name, US_ASCII)).toList();
  }

  @Test
  void aNameIsMadeOnce() {
    List<byte[]> first = text("readCount", "writeCount");
    List<byte[]> second = text("readCount", "writeCount");
    assertEquals(List.of("server_read_count", "server_write_count"), strings(second));
    assertSame(first.get(0), second.get(0));
    assertSame(first.get(1), second.get(1));
  }

  @Test
  void oneThatComesOrLeavesInTheMiddleHasNoOthersName() {
    text("a", "b", "c");
    assertEquals(List.of("server_a", "server_c"), strings(text("a", "c")));
    assertEquals(List.of("server_a", "server_b", "server_c"), strings(text("a", "b", "c")));
  }

  @Test
  void namesOfMetricsThatHaveLeftAreNotKept() {
    text("a", "b", "c");
    text("a");
    assertEquals(1, names.size());
    text();
    assertEquals(0, names.size());
  }

  @Test
  void namesThatAreKeptAreBounded() {
    String[] many = new String[PrometheusNames.MAX + 2];
    for (int n = 0; n < many.length; n++) {
      many[n] = "m" + n;
    }
    text(many);
    List<String> again = strings(text(many));
    assertEquals(PrometheusNames.MAX, names.size());
    assertEquals("server_m" + (many.length - 1), again.get(many.length - 1));
  }
}
