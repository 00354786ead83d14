package org.grampus.compat.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.VersionInfo;
import org.junit.jupiter.api.Test;

class ClientVersionTest {
  private static VersionInfo.Builder info(String text) {
    return VersionInfo.newBuilder()
        .setVersion(text)
        .setUrl("")
        .setRevision("")
        .setUser("")
        .setDate("")
        .setSrcChecksum("");
  }

  @Test
  void numbersCountBeforeText() {
    VersionInfo info = info("1.1.0").setVersionMajor(2).setVersionMinor(6).build();
    assertEquals(new ClientVersion(2, 6), ClientVersion.of(info));
  }

  @Test
  void textIsReadAndNonsenseIsOld() {
    assertEquals(new ClientVersion(1, 4), ClientVersion.of(info("1.4.14").build()));
    assertEquals(new ClientVersion(3, 0), ClientVersion.of(info("3.0-SNAPSHOT").build()));
    assertEquals(ClientVersion.UNKNOWN, ClientVersion.of(info("Unknown").build()));
    assertEquals(ClientVersion.UNKNOWN, ClientVersion.of(info("a.b").build()));
  }

  @Test
  void switchesFollowTheVersion() {
    assertTrue(new ClientVersion(1, 4).resetsScanners());
    assertTrue(new ClientVersion(2, 0).resetsScanners());
    assertFalse(new ClientVersion(1, 3).resetsScanners());
    assertTrue(new ClientVersion(1, 3).readsGetCellBlock());
    assertFalse(ClientVersion.UNKNOWN.retriesImmediately());
  }
}
