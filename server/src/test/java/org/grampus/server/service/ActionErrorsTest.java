package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.memory.MemoryUse;
import org.junit.jupiter.api.Test;

class ActionErrorsTest {
  private static final int MANY = 100_000;
  private static final long LIMIT = 64 << 20;

  private final MemoryAccount account = new MemoryAccount(LIMIT, LIMIT, LIMIT);
  private final MemoryPeer peer = new MemoryPeers(1).enter(null);
  private final CallMemory memory = new CallMemory(account, peer);
  private final ActionErrors errors = new ActionErrors(memory);

  private static String text(NameBytesPair error) {
    return error.getValue().toStringUtf8();
  }

  @Test
  void equalErrorsShareTheirMessage() {
    NameBytesPair first = errors.of(new IOException("bad"));
    assertTrue(text(first).contains("bad"), text(first));
    assertSame(first, errors.of(new IOException("bad")));
    assertNotSame(first, errors.of(new IOException("worse")));
    assertEquals(
        RegionTooBusyException.class.getName(),
        errors.of(new RegionTooBusyException("bad")).getName());
  }

  @Test
  void textsAreCountedUntilTheCallIsOver() {
    int bytes = errors.of(new IOException("bad")).getSerializedSize();
    var unused = errors.of(new IOException("bad"));
    assertEquals(2L * bytes, account.used(MemoryUse.RESULTS));
    memory.close();
    assertEquals(0, account.used(MemoryUse.RESULTS));
  }

  @Test
  void manyErrorsHaveTheirClassAlone() {
    for (String text : List.of("", "different ")) {
      ActionErrors ofOne = new ActionErrors(memory);
      long bytes = 0;
      NameBytesPair last = null;
      for (int i = 0; i < MANY; i++) {
        last = ofOne.of(new IOException(text.isEmpty() ? "bad" : text + i));
        bytes += last.getSerializedSize();
      }
      assertTrue(bytes < 2L * ActionErrors.TEXT_BYTES + MANY * 100L, bytes + " bytes");
      assertEquals(IOException.class.getName(), last.getName());
      assertTrue(last.hasValue(), "clients take an error without a value for none");
    }
    assertTrue(account.used(MemoryUse.RESULTS) < 5L * ActionErrors.TEXT_BYTES);
  }

  /** Clients read the new place in the text; without it they would be given no server at all. */
  @Test
  void aMovedRegionWithoutATextIsOneThatIsNotServed() {
    ServerName to = ServerName.valueOf("other", 16020, 1);
    RegionMovedException moved = new RegionMovedException(to, 5);
    assertEquals(RegionMovedException.class.getName(), errors.of(moved).getName());
    account.force(MemoryUse.RESULTS, peer, LIMIT);
    NameBytesPair error = new ActionErrors(memory).of(moved);
    assertEquals(NotServingRegionException.class.getName(), error.getName());
  }

  @Test
  void aTextThatIsLongOrFindsNoMemoryIsLeftOut() {
    IOException quoting = new IOException("x".repeat(ActionErrors.TEXT_BYTES));
    int length = errors.of(quoting).getSerializedSize();
    assertTrue(length < 200, length + " bytes");
    account.force(MemoryUse.RESULTS, peer, LIMIT);
    NameBytesPair error = errors.of(new IOException("bad"));
    assertEquals(IOException.class.getName(), error.getName());
    assertTrue(!text(error).contains("bad"), text(error));
  }
}
