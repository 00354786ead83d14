package org.grampus.compat.mutate;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TimeRange;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.protocol.KeyValueLayout;
import org.grampus.compat.protocol.KeyValueWriter;

/**
 * What increment and append share: both change the newest cell of each column. Their time to live
 * is written beside the cells and not as a tag: the engine lets it replace one that the newest cell
 * has.
 */
final class DeltaCells {
  private DeltaCells() {}

  static int write(int kind, MutationProto delta, RequestCells cells, MutationBatchWriter batch)
      throws IOException {
    int flags = MutationAttributes.returnsResult(delta) ? OpKind.RETURN_RESULT : 0;
    int start = batch.beginOp(kind, delta.getDurability().getNumber(), flags);
    ByteBuf ops = batch.ops();
    ops.writeLongLE(delta.getNonce());
    TimeRange range = delta.getTimeRange();
    ops.writeLongLE(range.hasFrom() ? range.getFrom() : 0);
    ops.writeLongLE(range.hasTo() ? range.getTo() : Long.MAX_VALUE);
    ops.writeLongLE(MutationAttributes.ttlMillis(delta));
    int count =
        delta.getAssociatedCellCount() > 0
            ? MutationCells.fromBlock(delta, cells, KeyValueWriter.NO_TTL, batch)
            : inline(delta, batch.copiedCells());
    ops.writeIntLE(count);
    return start;
  }

  private static int inline(MutationProto delta, ByteBuf out) throws IOException {
    ByteString row = MutationCells.row(delta);
    int count = 0;
    for (ColumnValue column : delta.getColumnValueList()) {
      for (QualifierValue value : column.getQualifierValueList()) {
        if (!value.hasValue()) {
          throw new DoNotRetryIOException("Missing required field: qualifier value");
        }
        KeyValueWriter.write(
            out,
            row,
            column.getFamily(),
            value.getQualifier(),
            value.hasTimestamp() ? value.getTimestamp() : HConstants.LATEST_TIMESTAMP,
            KeyValueLayout.PUT,
            value.getValue(),
            value.getTags(),
            KeyValueWriter.NO_TTL);
        count++;
      }
    }
    return count;
  }
}
