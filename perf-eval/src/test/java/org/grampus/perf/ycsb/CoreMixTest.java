package org.grampus.perf.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CoreMixTest {
  @ParameterizedTest
  @EnumSource
  void partsMakeAWhole(CoreMix mix) {
    Properties properties = mix.properties(100, 10);

    assertEquals(
        1.0,
        Stream.of("read", "update", "insert", "scan", "readmodifywrite")
            .mapToDouble(part -> Double.parseDouble(properties.getProperty(part + "proportion")))
            .sum(),
        1e-9);
  }

  @Test
  void partsAreThoseOfYcsbsFiles() {
    Properties latest = CoreMix.D.properties(100, 10);

    assertEquals("0.95", latest.getProperty("readproportion"));
    assertEquals("0.05", latest.getProperty("insertproportion"));
    assertEquals("0.0", latest.getProperty("updateproportion"));
    assertEquals("latest", latest.getProperty("requestdistribution"));
    assertEquals("100", latest.getProperty("recordcount"));
    assertEquals("10", latest.getProperty("operationcount"));
  }

  @Test
  void twoOfThemAddRecords() {
    assertEquals(
        List.of(CoreMix.D, CoreMix.E),
        Stream.of(CoreMix.values()).filter(CoreMix::inserts).toList());
  }
}
