package org.grampus.compat.mutate;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;

/** MultiRowMutationService.MutateRows as one operation: all rows or none. */
public final class MultiRowMutationAdapter {
  private MultiRowMutationAdapter() {}

  /** Appends mutations of any kind of several rows, with conditions that must all hold. */
  public static void write(
      List<MutationProto> mutations,
      List<Condition> conditions,
      List<byte[]> families,
      MutationBatchWriter batch)
      throws IOException {
    boolean checked = !conditions.isEmpty();
    int start = batch.beginOp(checked ? OpKind.MULTI_ROW_CHECK : OpKind.MULTI_ROW, 0, 0);
    if (checked) {
      batch.ops().writeIntLE(conditions.size());
      for (Condition condition : conditions) {
        batch.bytes(condition.getRow());
        ConditionWriter.writeMultiRow(condition, batch.ops());
      }
    }
    batch.ops().writeIntLE(mutations.size());
    RequestCells noCells = new RequestCells().reset(null);
    for (MutationProto mutation : mutations) {
      MutationAdapter.writeNested(mutation, noCells, families, batch);
    }
    batch.endTopLevelOp(start);
  }
}
