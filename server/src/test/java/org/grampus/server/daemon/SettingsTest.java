package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
  /** A key that HBase's defaults, ours and an operator all have a word on. */
  private static final String KEY = "hbase.regionserver.info.bindAddress";

  private static final String HBASE_ONLY = "hbase.regionserver.handler.count";

  @TempDir Path confDir;

  private void site(String key, String value) throws IOException {
    Configuration site = new Configuration(false);
    site.set(key, value);
    try (OutputStream out = Files.newOutputStream(confDir.resolve("hbase-site.xml"))) {
      site.writeXml(out);
    }
  }

  private Configuration load(Map<String, String> overrides) throws StartupException {
    return Settings.load(confDir, overrides);
  }

  @Test
  void ourDefaultBeatsHBases() throws StartupException {
    assertEquals("127.0.0.1", load(Map.of()).get(KEY));
  }

  @Test
  void theSiteFileBeatsOurDefault() throws Exception {
    site(KEY, "10.0.0.1");
    assertEquals("10.0.0.1", load(Map.of()).get(KEY));
  }

  @Test
  void theCommandLineBeatsTheSiteFile() throws Exception {
    site(KEY, "10.0.0.1");
    assertEquals("10.0.0.2", load(Map.of(KEY, "10.0.0.2")).get(KEY));
  }

  /** HBase has a newer name for this key, under which Hadoop notes the source of its value. */
  @Test
  void aServersNameIsTheOperators() throws Exception {
    String key = "hbase.regionserver.hostname";
    assertEquals("localhost", load(Map.of()).get(key));
    assertEquals("rs1", load(Map.of(key, "rs1")).get(key));
    assertEquals("rs2", load(Map.of("hbase.unsafe.regionserver.hostname", "rs2")).get(key));
    site(key, "rs3");
    assertEquals("rs3", load(Map.of()).get(key));
    assertEquals("rs1", load(Map.of(key, "rs1")).get(key));
  }

  @Test
  void aDefaultIsNotSetOverSomebodysWord() throws Exception {
    site(HBASE_ONLY, "7");
    Configuration conf = load(Map.of());
    Settings.setDefault(conf, HBASE_ONLY, "9");
    assertEquals("7", conf.get(HBASE_ONLY));
  }

  @Test
  void onlyHBasesOwnDefaultsCountAsNotSet() throws Exception {
    assertFalse(Settings.isSet(load(Map.of()), HBASE_ONLY));
    assertFalse(Settings.isSet(load(Map.of()), "no.such.key"));
    assertTrue(Settings.isSet(load(Map.of(HBASE_ONLY, "7")), HBASE_ONLY));
    site(HBASE_ONLY, "30");
    assertTrue(Settings.isSet(load(Map.of()), HBASE_ONLY), "also when it repeats the default");
  }

  @Test
  void aSiteFileThatIsNoXmlIsNamed() throws IOException {
    Path site = Files.writeString(confDir.resolve("hbase-site.xml"), "<configuration>");
    StartupException refusal = assertThrows(StartupException.class, () -> load(Map.of()));
    assertTrue(refusal.getMessage().startsWith("cannot read " + site), refusal.getMessage());
    assertEquals(1, refusal.getMessage().lines().count(), refusal.getMessage());
  }

  @Test
  void aSecuredSiteIsRefusedByName() throws Exception {
    for (String[] setting :
        new String[][] {
          {"hbase.security.authentication", "Kerberos"},
          {"hbase.security.authorization", "true"},
          {"hbase.server.netty.tls.enabled", "TRUE"},
          {"hbase.regionserver.wal.encryption", "true"}
        }) {
      site(setting[0], setting[1]);
      String message = assertThrows(StartupException.class, () -> load(Map.of())).getMessage();
      assertTrue(message.startsWith(setting[0] + " is "), message);
    }
    site("hbase.security.authentication", "simple");
    assertEquals("simple", load(Map.of()).get("hbase.security.authentication"));
  }

  @Test
  void anotherStoreFileTrackerThanDefaultIsRefused() throws Exception {
    String key = "hbase.store.file-tracker.impl";
    for (String tracker : new String[] {"FILE", "migration", "org.example.OwnTracker"}) {
      site(key, tracker);
      String message = assertThrows(StartupException.class, () -> load(Map.of())).getMessage();
      assertTrue(message.startsWith(key + " is " + tracker + ", but "), message);
    }
    site(key, "default");
    assertEquals("default", load(Map.of()).get(key));
  }

  @Test
  void logSplittingByZooKeeperIsRefused() throws Exception {
    String key = "hbase.split.wal.zk.coordinated";
    site(key, "true");
    String message = assertThrows(StartupException.class, () -> load(Map.of())).getMessage();
    assertTrue(message.startsWith(key + " is true, but "), message);
    assertTrue(message.endsWith("set it to false, also at the master"), message);
    site(key, "false");
    assertEquals("false", load(Map.of()).get(key));
  }
}
