package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class RegionRegistryTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private final AtomicLong clock = new AtomicLong();
  private final ServerName self = ServerName.valueOf("here", 1, 2);
  private final RegionRegistry registry = new RegionRegistry(() -> self, clock::get);
  private final RegionInfo info = RegionInfoBuilder.newBuilder(TABLE).build();
  private final OnlineRegion region =
      new OnlineRegion(info, TableDescriptorBuilder.newBuilder(TABLE).build(), null, 1);

  private OnlineRegion lookup() throws IOException {
    return registry.lookup(
        RegionSpecifier.newBuilder()
            .setType(RegionSpecifierType.REGION_NAME)
            .setValue(ByteString.copyFrom(info.getRegionName()))
            .build());
  }

  @Test
  void lookupFollowsTheLifeOfARegion() throws IOException {
    assertEquals(
        NotServingRegionException.class,
        assertThrows(NotServingRegionException.class, this::lookup).getClass());
    assertTrue(registry.opening(info.getEncodedName()));
    assertFalse(registry.opening(info.getEncodedName()), "already opening");
    assertThrows(RegionOpeningException.class, this::lookup);
    registry.add(region);
    assertSame(region, lookup());
    assertFalse(registry.opening(info.getEncodedName()), "already online");
    assertTrue(registry.isOnline(region));
    assertSame(region, registry.remove(info.getEncodedName()));
    assertThrows(NotServingRegionException.class, this::lookup);
  }

  @Test
  void moveIsToldForTwoMinutes() throws IOException {
    registry.add(region);
    registry.remove(info.getEncodedName());
    registry.moved(info.getEncodedName(), ServerName.valueOf("there", 7, 8), 9);
    RegionMovedException moved = assertThrows(RegionMovedException.class, this::lookup);
    assertEquals("there", moved.getHostname());
    assertEquals(9, new RegionMovedException(moved.getMessage()).getLocationSeqNum());
    clock.addAndGet(RegionRegistry.MOVED_NANOS);
    assertEquals(
        NotServingRegionException.class,
        assertThrows(NotServingRegionException.class, this::lookup).getClass());
  }

  @Test
  void regionThatComesBackIsNotMoved() throws IOException {
    registry.moved(info.getEncodedName(), ServerName.valueOf("there", 7, 8), 9);
    registry.add(region);
    assertSame(region, lookup());
    registry.remove(info.getEncodedName());
    registry.moved(info.getEncodedName(), self, 9);
    assertEquals(
        NotServingRegionException.class,
        assertThrows(NotServingRegionException.class, this::lookup).getClass());
  }
}
