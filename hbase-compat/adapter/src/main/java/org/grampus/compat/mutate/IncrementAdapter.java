package org.grampus.compat.mutate;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;

/** Increment as an operation. */
final class IncrementAdapter {
  private IncrementAdapter() {}

  static int write(MutationProto mutation, RequestCells cells, MutationBatchWriter batch)
      throws IOException {
    return DeltaCells.write(OpKind.INCREMENT, mutation, cells, batch);
  }
}
