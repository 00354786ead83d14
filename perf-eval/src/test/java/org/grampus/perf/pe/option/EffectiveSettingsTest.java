package org.grampus.perf.pe.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;

final class EffectiveSettingsTest {
  private static final String CACHING = HConstants.HBASE_CLIENT_SCANNER_CACHING;

  private final Configuration conf = HBaseConfiguration.create();

  private EffectiveSettings of(String line) {
    return new EffectiveSettings(PeOptions.parse(List.of(line.split(" "))), conf, 99);
  }

  private String shown(String line, String name) {
    return of(line).shown().stream()
        .filter(setting -> setting.name().equals(name))
        .map(Setting::toString)
        .findAny()
        .orElse("none");
  }

  private void site(String value) {
    String xml =
        "<configuration><property><name>"
            + CACHING
            + "</name><value>"
            + value
            + "</value></property></configuration>";
    conf.addResource(
        new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)), "hbase-site.xml");
  }

  @Test
  void withoutAWordCachingIsThatOfHBasesClass() {
    assertEquals("caching=30 (default)", shown("scan 1", "caching"));
  }

  @Test
  void theOptionComesFirst() {
    site("500");

    assertEquals("caching=7 (option --caching)", shown("--caching=7 scan 1", "caching"));
  }

  @Test
  void theSiteIsHonoured() {
    site("500");

    assertEquals("caching=500 (" + CACHING + " in hbase-site.xml)", shown("scan 1", "caching"));
    assertEquals(500, of("scan 1").calls().scan().caching());
  }

  @Test
  void theCommandLineGoesBeforeTheSite() {
    site("500");
    conf.set(CACHING, "600", "from command line");

    assertEquals("caching=600 (-D" + CACHING + " on the command line)", shown("scan 1", "caching"));
  }

  @Test
  void cachingOfNothingIsRefused() {
    site("0");

    assertThrows(IllegalArgumentException.class, () -> of("scan 1"));
  }

  @Test
  void theSeedIsThatOfTheClockUnlessItIsGiven() {
    assertEquals("seed=99 (the clock)", shown("randomRead 1", "seed"));
    assertEquals("seed=5 (option --seed)", shown("--seed=5 randomRead 1", "seed"));
  }

  @Test
  void whatHasNoEffectIsNotShown() {
    assertEquals("none", shown("randomRead 1", "caching"));
    assertEquals("none", shown("--autoFlush=true sequentialWrite 1", "bufferSize"));
    assertEquals("bufferSize=2097152 (default)", shown("sequentialWrite 1", "bufferSize"));
  }
}
