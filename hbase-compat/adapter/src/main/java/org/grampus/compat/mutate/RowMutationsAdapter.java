package org.grampus.compat.mutate;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** RowMutations, an atomic region action, as one operation: all or nothing on one row. */
public final class RowMutationsAdapter {
  private RowMutationsAdapter() {}

  /** Appends the actions of an atomic region action; there must be at least one. */
  public static void write(
      List<Action> actions, RequestCells cells, List<byte[]> families, MutationBatchWriter batch)
      throws IOException {
    int start = batch.beginOp(OpKind.ATOMIC_ROW, 0, 0);
    batch.bytes(row(actions, cells));
    writeActions(actions, cells, families, batch);
    batch.endTopLevelOp(start);
  }

  private static ByteString row(List<Action> actions, RequestCells cells) throws IOException {
    MutationProto first = mutation(actions.get(0));
    return first.hasRow() ? first.getRow() : cells.peekRow();
  }

  static void writeActions(
      List<Action> actions, RequestCells cells, List<byte[]> families, MutationBatchWriter batch)
      throws IOException {
    batch.ops().writeIntLE(actions.size());
    for (Action action : actions) {
      MutationAdapter.writeNested(mutation(action), cells, families, batch);
    }
  }

  private static MutationProto mutation(Action action) throws DoNotRetryIOException {
    if (!action.hasMutation()) {
      throw new DoNotRetryIOException("Atomic put and/or delete only, not a Get or another action");
    }
    return action.getMutation();
  }
}
