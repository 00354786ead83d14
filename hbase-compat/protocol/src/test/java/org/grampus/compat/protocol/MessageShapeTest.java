package org.grampus.compat.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

/** What a message would take on the heap, before it is parsed. */
class MessageShapeTest {
  private static final RegionSpecifier REGION =
      RegionSpecifier.newBuilder()
          .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
          .setValue(ByteString.copyFromUtf8("t,,1.0123456789abcdef0123456789abcdef."))
          .build();
  private static final int MANY = 20_000;

  private static long estimate(byte[] bytes, Message prototype, long limit) {
    ByteBuf in = Unpooled.wrappedBuffer(bytes);
    return MessageShape.of(prototype.getDescriptorForType()).estimate(in, 0, bytes.length, limit);
  }

  /** Bytes that stay reachable after a parse: what the collector finds, not what was garbage. */
  private static long retained(byte[] bytes, Message prototype) throws IOException {
    Message[] kept = new Message[8];
    parse(bytes, prototype); // classes are loaded
    System.gc();
    long before = used();
    for (int i = 0; i < kept.length; i++) {
      kept[i] = parse(bytes, prototype);
    }
    System.gc();
    long after = used();
    assertTrue(kept[kept.length - 1] != null);
    return (after - before) / kept.length;
  }

  private static Message parse(byte[] bytes, Message prototype) throws IOException {
    return Frames.readMessage(Unpooled.wrappedBuffer(bytes), bytes.length, prototype);
  }

  private static long used() {
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static void assertCovered(String what, byte[] bytes, Message prototype)
      throws IOException {
    long estimate = estimate(bytes, prototype, Long.MAX_VALUE);
    long retained = retained(bytes, prototype);
    assertTrue(estimate >= retained, what + ": estimate " + estimate + ", retained " + retained);
    assertTrue(estimate <= MessageShape.bound(bytes.length), what + ": above the bound");
  }

  private static byte[] emptyActions(int count) {
    RegionAction.Builder region = RegionAction.newBuilder().setRegion(REGION);
    for (int i = 0; i < count; i++) {
      region.addAction(Action.getDefaultInstance());
    }
    return MultiRequest.newBuilder().addRegionAction(region).build().toByteArray();
  }

  @Test
  void emptySubmessagesAreCounted() throws IOException {
    assertCovered("empty actions", emptyActions(MANY), MultiRequest.getDefaultInstance());
  }

  @Test
  void unknownFieldsAreCounted() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    for (int i = 0; i < MANY; i++) {
      out.writeInt32(1000 + i, 1); // numbers that differ cost most
    }
    out.flush();
    assertCovered("unknown fields", message(bytes), MultiRequest.getDefaultInstance());
  }

  @Test
  void unknownGroupsAreCounted() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    for (int i = 0; i < MANY; i++) {
      out.writeTag(15, 3);
      out.writeTag(15, 4);
    }
    out.flush();
    assertCovered("unknown groups", message(bytes), MultiRequest.getDefaultInstance());
  }

  /** Unknown fields in a region action, for those of the whole request share one table. */
  private static byte[] message(ByteArrayOutputStream unknown) throws IOException {
    ByteArrayOutputStream action = new ByteArrayOutputStream();
    action.write(RegionAction.newBuilder().setRegion(REGION).build().toByteArray());
    action.write(unknown.toByteArray());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeByteArray(1, action.toByteArray());
    out.flush();
    return bytes.toByteArray();
  }

  @Test
  void mutationsInsideTheMessageAreCounted() throws IOException {
    MutationProto.Builder put =
        MutationProto.newBuilder()
            .setRow(ByteString.copyFromUtf8("r"))
            .setMutateType(MutationProto.MutationType.PUT);
    MutationProto.ColumnValue.Builder column =
        MutationProto.ColumnValue.newBuilder().setFamily(ByteString.copyFromUtf8("f"));
    for (int i = 0; i < MANY; i++) {
      column.addQualifierValue(
          MutationProto.ColumnValue.QualifierValue.newBuilder()
              .setQualifier(ByteString.copyFromUtf8("q" + i))
              .setValue(ByteString.copyFromUtf8("v")));
    }
    byte[] bytes =
        MutateRequest.newBuilder()
            .setRegion(REGION)
            .setMutation(put.addColumnValue(column))
            .build()
            .toByteArray();
    assertCovered("inline put", bytes, MutateRequest.getDefaultInstance());
    assertTrue(
        estimate(bytes, MutateRequest.getDefaultInstance(), Long.MAX_VALUE) < 40L * bytes.length,
        "an honest message is not refused for what it is not");
  }

  @Test
  void valuesAreCountedOnce() {
    byte[] bytes =
        MutateRequest.newBuilder()
            .setRegion(REGION)
            .setMutation(
                MutationProto.newBuilder()
                    .addColumnValue(
                        MutationProto.ColumnValue.newBuilder()
                            .setFamily(ByteString.copyFromUtf8("f"))
                            .addQualifierValue(
                                MutationProto.ColumnValue.QualifierValue.newBuilder()
                                    .setValue(ByteString.copyFrom(new byte[1 << 20])))))
            .build()
            .toByteArray();
    long estimate = estimate(bytes, MutateRequest.getDefaultInstance(), Long.MAX_VALUE);
    assertTrue(estimate < bytes.length + 4096, estimate + " for " + bytes.length);
  }

  @Test
  void filtersInsideBytesAreCounted() {
    byte[] filters = new byte[2 * MANY];
    for (int i = 0; i < filters.length; i += 2) {
      filters[i] = 0x12; // field 2, empty
    }
    byte[] bytes =
        ScanRequest.newBuilder()
            .setScan(
                org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan.newBuilder()
                    .setFilter(
                        org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter
                            .newBuilder()
                            .setName("f")
                            .setSerializedFilter(ByteString.copyFrom(filters))))
            .build()
            .toByteArray();
    assertTrue(estimate(bytes, ScanRequest.getDefaultInstance(), Long.MAX_VALUE) > 60L * MANY);
  }

  @Test
  void aWalkEndsAtItsLimitAndAtDamage() {
    byte[] bytes = emptyActions(1_000_000);
    long limit = 1 << 20;
    long estimate = estimate(bytes, MultiRequest.getDefaultInstance(), limit + bytes.length);
    assertTrue(estimate > limit && estimate < 4 * limit + bytes.length, estimate + " bytes");
    Random random = new Random(11);
    byte[] small = emptyActions(30);
    for (int round = 0; round < 20_000; round++) {
      byte[] damaged = small.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      long most = MessageShape.bound(damaged.length);
      for (Message prototype :
          new Message[] {MultiRequest.getDefaultInstance(), GetRequest.getDefaultInstance()}) {
        long size = estimate(damaged, prototype, Long.MAX_VALUE);
        assertTrue(size > 0 && size <= most, () -> size + " bytes of at most " + most);
      }
    }
  }

  @Test
  void nestingHasAnEnd() {
    byte[] groups = new byte[1 << 20];
    java.util.Arrays.fill(groups, (byte) 0x7b); // field 15 begins a group, and again
    long estimate = estimate(groups, MultiRequest.getDefaultInstance(), Long.MAX_VALUE);
    assertTrue(estimate < groups.length + 100_000, estimate + " bytes");
  }

  @Test
  void aWalkLeavesNothingOnTheHeap() {
    byte[] bytes = emptyActions(1000);
    MessageShape shape = MessageShape.of(MultiRequest.getDescriptor());
    ByteBuf in = Unpooled.wrappedBuffer(bytes);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = shape.estimate(in, 0, bytes.length, Long.MAX_VALUE);
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100; i++) {
      sum -= shape.estimate(in, 0, bytes.length, Long.MAX_VALUE) / 100;
    }
    long perWalk = (threads.getCurrentThreadAllocatedBytes() - before) / 100;
    assertTrue(perWalk < 1000, perWalk + " bytes for each walk");
    assertEquals(0, sum / 1_000_000);
  }
}
