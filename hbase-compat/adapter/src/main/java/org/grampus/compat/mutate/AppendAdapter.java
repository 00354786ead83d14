package org.grampus.compat.mutate;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;

/** Append as an operation. */
final class AppendAdapter {
  private AppendAdapter() {}

  static int write(MutationProto mutation, RequestCells cells, MutationBatchWriter batch)
      throws IOException {
    return DeltaCells.write(OpKind.APPEND, mutation, cells, batch);
  }
}
