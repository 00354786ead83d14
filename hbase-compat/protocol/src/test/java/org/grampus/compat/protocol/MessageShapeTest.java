package org.grampus.compat.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RemoteProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.TimestampsFilter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogRequest;
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

  /** The parser keeps them as unknown fields. */
  @Test
  void numbersOfAnotherWireTypeAndUnknownEnumsAreCounted() throws IOException {
    byte[] index = {1 << 3 | 5, 0, 0, 0, 1}; // Action.index, a varint, in four bytes
    assertCovered("an index in four bytes", actions(index), MultiRequest.getDefaultInstance());
    byte[] type = delimited(2 << 3 | 2, 2, new byte[] {2 << 3, 63}); // there is no such type
    assertEquals(1, Action.parseFrom(type).getMutation().getUnknownFields().asMap().size(), "kept");
    assertCovered("an unknown value of an enum", actions(type), MultiRequest.getDefaultInstance());
  }

  /** Many actions of these bytes. */
  private static byte[] actions(byte[] action) throws IOException {
    ByteArrayOutputStream actions = new ByteArrayOutputStream();
    for (int i = 0; i < MANY; i++) {
      actions.write(delimited(3 << 3 | 2, action.length, action));
    }
    return message(actions);
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
    byte[] bytes = scan(filters);
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
  void nestingThatIsNotLookedAtCountsInFull() {
    byte[] groups = new byte[1 << 20];
    Arrays.fill(groups, (byte) 0x7b); // field 15 begins a group, and again
    long estimate = estimate(groups, MultiRequest.getDefaultInstance(), Long.MAX_VALUE);
    assertTrue(estimate > 100L * groups.length, estimate + " bytes");
    assertTrue(estimate <= MessageShape.bound(groups.length), estimate + " bytes");
  }

  /** What the parser drops of a varint above its 32nd bit is no way around the estimate. */
  @Test
  void varintsAreCutAsTheParserCutsThem() throws IOException {
    byte[] actions = emptyActions(MANY);
    byte[] region = MultiRequest.parseFrom(actions).getRegionAction(0).toByteArray();
    for (int bit = 32; bit < 64; bit++) {
      long high = 1L << bit;
      byte[] tag = delimited(high | (1 << 3 | 2), region.length, region);
      byte[] length = delimited(1 << 3 | 2, high | region.length, region);
      for (byte[] bytes : new byte[][] {tag, length}) {
        assertEquals(MANY, MultiRequest.parseFrom(bytes).getRegionAction(0).getActionCount());
        assertTrue(
            estimate(bytes, MultiRequest.getDefaultInstance(), Long.MAX_VALUE)
                >= estimate(actions, MultiRequest.getDefaultInstance(), Long.MAX_VALUE),
            "bit " + bit);
      }
      assertCoveredInFilter(delimited(high | (1 << 3 | 2), 0, new byte[0]));
      assertCoveredInFilter(delimited(1 << 3 | 2, high, new byte[0]));
    }
  }

  /** As many empty fields in a filter as there are of this one. */
  private static void assertCoveredInFilter(byte[] field) throws IOException {
    ByteArrayOutputStream filters = new ByteArrayOutputStream();
    for (int i = 0; i < 1000; i++) {
      filters.write(field);
    }
    long estimate =
        estimate(scan(filters.toByteArray()), ScanRequest.getDefaultInstance(), Long.MAX_VALUE);
    assertTrue(estimate > 100 * 1000, estimate + " bytes for a filter");
  }

  private static byte[] delimited(long tag, long length, byte[] value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeUInt64NoTag(tag);
    out.writeUInt64NoTag(length);
    out.writeRawBytes(value);
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] scan(byte[] filter) {
    return ScanRequest.newBuilder()
        .setScan(
            Scan.newBuilder()
                .setFilter(
                    Filter.newBuilder()
                        .setName("f")
                        .setSerializedFilter(ByteString.copyFrom(filter))))
        .build()
        .toByteArray();
  }

  @Test
  void packedNumbersInFiltersAreCounted() throws IOException {
    byte[] filter = delimited(1 << 3 | 2, MANY, new byte[MANY]);
    assertEquals(MANY, TimestampsFilter.parseFrom(filter).getTimestampsCount());
    long estimate = estimate(scan(filter), ScanRequest.getDefaultInstance(), Long.MAX_VALUE);
    assertTrue(estimate > 8L * MANY, estimate + " bytes");
  }

  @Test
  void messagesInBytesOfAdministratorsAreCounted() throws IOException {
    byte[] groups = new byte[MANY]; // unknown ones, as deep as a parser goes
    for (int i = 0; i < groups.length; i++) {
      groups[i] = (byte) (i / 99 % 2 == 0 ? 0x7b : 0x7c);
    }
    ByteString message = ByteString.copyFrom(groups, 0, MANY / 198 * 198);
    long retained = retained(message.toByteArray(), SlowLogResponseRequest.getDefaultInstance());
    Message log = LogRequest.newBuilder().setLogClassName("l").setLogMessage(message).build();
    assertTrue(estimate(log.toByteArray(), log, Long.MAX_VALUE) >= retained, retained + " bytes");
    Message orders =
        ExecuteProceduresRequest.newBuilder()
            .addProc(
                RemoteProcedureRequest.newBuilder()
                    .setProcId(1)
                    .setProcClass("p")
                    .setProcData(message))
            .build();
    long estimate = estimate(orders.toByteArray(), orders, Long.MAX_VALUE);
    assertTrue(estimate >= retained, estimate + " of " + retained + " bytes");
  }

  /** No parser of ours goes on there, and none is trusted not to. */
  @Test
  void whatFollowsAnEndOfNoGroupInBytesCountsInFull() {
    byte[] request = new byte[MANY];
    request[0] = 1 << 3 | 4;
    Message call =
        CoprocessorServiceCall.newBuilder()
            .setRow(ByteString.EMPTY)
            .setServiceName("s")
            .setMethodName("m")
            .setRequest(ByteString.copyFrom(request))
            .build();
    long estimate = estimate(call.toByteArray(), call, Long.MAX_VALUE);
    assertTrue(estimate > 100L * MANY, estimate + " bytes");
  }

  /** Filters in filters are parsed one by one, so that no parser's limit of depth holds for all. */
  @Test
  void whatLiesDeepInFiltersIsCounted() throws IOException {
    byte[] filter = new byte[2 * MANY];
    for (int i = 0; i < filter.length; i += 2) {
      filter[i] = 0x12; // field 2, empty
    }
    for (int i = 0; i < 60; i++) {
      byte[] inner = delimited(2 << 3 | 2, filter.length, filter);
      filter = delimited(1 << 3 | 2, inner.length, inner);
    }
    long estimate = estimate(scan(filter), ScanRequest.getDefaultInstance(), Long.MAX_VALUE);
    assertTrue(estimate > 60L * MANY, estimate + " bytes");
  }

  @Test
  void whatTheWalkCannotReadCountsInFull() throws IOException {
    byte[] rest = emptyActions(MANY);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(1 << 3 | 7); // a wire type that there is not
    bytes.write(rest);
    long estimate =
        estimate(bytes.toByteArray(), MultiRequest.getDefaultInstance(), Long.MAX_VALUE);
    assertTrue(estimate > 100L * rest.length, estimate + " bytes");
    assertTrue(estimate <= MessageShape.bound(bytes.size()), estimate + " bytes");
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
