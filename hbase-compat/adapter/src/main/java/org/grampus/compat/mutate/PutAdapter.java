package org.grampus.compat.mutate;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.protocol.KeyValueLayout;
import org.grampus.compat.protocol.KeyValueWriter;

/** Put as an operation. Its cells may be delete markers too, as hbase:meta's are. */
final class PutAdapter {
  private PutAdapter() {}

  static int write(MutationProto put, RequestCells cells, MutationBatchWriter batch)
      throws IOException {
    int start = batch.beginOp(OpKind.PUT, put.getDurability().getNumber(), 0);
    long ttlMillis = MutationAttributes.ttlMillis(put);
    int count =
        put.getAssociatedCellCount() > 0
            ? MutationCells.fromBlock(put, cells, ttlMillis, batch)
            : inline(put, ttlMillis, batch.copiedCells());
    batch.ops().writeIntLE(count);
    return start;
  }

  private static int inline(MutationProto put, long ttlMillis, ByteBuf out) throws IOException {
    ByteString row = MutationCells.row(put);
    long timestamp = put.hasTimestamp() ? put.getTimestamp() : HConstants.LATEST_TIMESTAMP;
    int count = 0;
    for (ColumnValue column : put.getColumnValueList()) {
      for (QualifierValue value : column.getQualifierValueList()) {
        if (!value.hasValue()) {
          throw new DoNotRetryIOException("Missing required field: qualifier value");
        }
        boolean delete = value.hasDeleteType();
        KeyValueWriter.write(
            out,
            row,
            column.getFamily(),
            value.getQualifier(),
            value.hasTimestamp() ? value.getTimestamp() : timestamp,
            delete ? DeleteAdapter.cellType(value.getDeleteType()) : KeyValueLayout.PUT,
            delete ? ByteString.EMPTY : value.getValue(),
            value.getTags(),
            ttlMillis);
        count++;
      }
    }
    return count;
  }
}
