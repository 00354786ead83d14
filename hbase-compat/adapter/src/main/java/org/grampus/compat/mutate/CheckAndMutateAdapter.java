package org.grampus.compat.mutate;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;

/** A condition and what to do when it holds, as one operation on one row. */
public final class CheckAndMutateAdapter {
  private CheckAndMutateAdapter() {}

  /** Appends a conditional mutation. */
  public static void write(
      Condition condition,
      MutationProto mutation,
      RequestCells cells,
      List<byte[]> families,
      MutationBatchWriter batch)
      throws IOException {
    checkRow(condition, mutation);
    int start = begin(condition, batch);
    batch.ops().writeIntLE(1);
    MutationAdapter.writeNested(mutation, cells, families, batch);
    batch.endTopLevelOp(start);
  }

  /** Appends conditional row mutations. */
  public static void write(
      Condition condition,
      List<Action> actions,
      RequestCells cells,
      List<byte[]> families,
      MutationBatchWriter batch)
      throws IOException {
    for (Action action : actions) {
      checkRow(condition, action.getMutation());
    }
    int start = begin(condition, batch);
    RowMutationsAdapter.writeActions(actions, cells, families, batch);
    batch.endTopLevelOp(start);
  }

  private static int begin(Condition condition, MutationBatchWriter batch) throws IOException {
    int start = batch.beginOp(OpKind.CHECK, 0, 0);
    batch.bytes(condition.getRow());
    ConditionWriter.write(condition, batch.ops());
    return start;
  }

  private static void checkRow(Condition condition, MutationProto mutation)
      throws DoNotRetryIOException {
    if (mutation.hasRow() && !mutation.getRow().equals(condition.getRow())) {
      throw new DoNotRetryIOException(
          "The row of the action doesn't match the row of the condition");
    }
  }
}
