package org.grampus.compat.mutate;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;

/** Any single mutation as an operation, by its type. */
public final class MutationAdapter {
  private MutationAdapter() {}

  /**
   * Appends one mutation.
   *
   * @param families the region's families
   */
  public static void write(
      MutationProto mutation, RequestCells cells, List<byte[]> families, MutationBatchWriter batch)
      throws IOException {
    batch.endTopLevelOp(begin(mutation, cells, families, batch));
  }

  /** Appends one mutation inside an operation of several. */
  static void writeNested(
      MutationProto mutation, RequestCells cells, List<byte[]> families, MutationBatchWriter batch)
      throws IOException {
    batch.endOp(begin(mutation, cells, families, batch));
  }

  private static int begin(
      MutationProto mutation, RequestCells cells, List<byte[]> families, MutationBatchWriter batch)
      throws IOException {
    return switch (mutation.getMutateType()) {
      case PUT -> PutAdapter.write(mutation, cells, batch);
      case DELETE -> DeleteAdapter.write(mutation, cells, families, batch);
      case INCREMENT -> IncrementAdapter.write(mutation, cells, batch);
      case APPEND -> AppendAdapter.write(mutation, cells, batch);
    };
  }
}
