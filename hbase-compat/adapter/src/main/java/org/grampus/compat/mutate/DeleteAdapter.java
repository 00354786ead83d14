package org.grampus.compat.mutate;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.DeleteType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.compat.protocol.KeyValueLayout;
import org.grampus.compat.protocol.KeyValueWriter;

/** Delete as an operation. A Delete that names nothing deletes every family of its row. */
final class DeleteAdapter {
  private DeleteAdapter() {}

  static int write(
      MutationProto delete, RequestCells cells, List<byte[]> families, MutationBatchWriter batch)
      throws IOException {
    int start = batch.beginOp(OpKind.DELETE, delete.getDurability().getNumber(), 0);
    int count;
    if (delete.getAssociatedCellCount() > 0) {
      count = MutationCells.fromBlock(delete, cells, KeyValueWriter.NO_TTL, batch);
    } else if (delete.getColumnValueCount() > 0) {
      count = inline(delete, batch.copiedCells());
    } else {
      count = wholeRow(delete, families, batch.copiedCells());
    }
    batch.ops().writeIntLE(count);
    return start;
  }

  private static int inline(MutationProto delete, ByteBuf out) throws IOException {
    ByteString row = MutationCells.row(delete);
    int count = 0;
    for (ColumnValue column : delete.getColumnValueList()) {
      for (QualifierValue value : column.getQualifierValueList()) {
        int type = cellType(value.getDeleteType());
        boolean ofFamily =
            type == KeyValueLayout.DELETE_FAMILY || type == KeyValueLayout.DELETE_FAMILY_VERSION;
        marker(
            out,
            row,
            column.getFamily(),
            ofFamily ? ByteString.EMPTY : value.getQualifier(),
            value.hasTimestamp() ? value.getTimestamp() : HConstants.LATEST_TIMESTAMP,
            type);
        count++;
      }
    }
    return count;
  }

  private static int wholeRow(MutationProto delete, List<byte[]> families, ByteBuf out)
      throws IOException {
    ByteString row = MutationCells.row(delete);
    long timestamp = delete.hasTimestamp() ? delete.getTimestamp() : HConstants.LATEST_TIMESTAMP;
    for (byte[] family : families) {
      marker(
          out,
          row,
          UnsafeByteOperations.unsafeWrap(family),
          ByteString.EMPTY,
          timestamp,
          KeyValueLayout.DELETE_FAMILY);
    }
    return families.size();
  }

  private static void marker(
      ByteBuf out,
      ByteString row,
      ByteString family,
      ByteString qualifier,
      long timestamp,
      int type)
      throws IOException {
    KeyValueWriter.write(
        out,
        row,
        family,
        qualifier,
        timestamp,
        type,
        ByteString.EMPTY,
        ByteString.EMPTY,
        KeyValueWriter.NO_TTL);
  }

  /** The cell type of a delete type. */
  static int cellType(DeleteType type) {
    return switch (type) {
      case DELETE_ONE_VERSION -> KeyValueLayout.DELETE;
      case DELETE_MULTIPLE_VERSIONS -> KeyValueLayout.DELETE_COLUMN;
      case DELETE_FAMILY -> KeyValueLayout.DELETE_FAMILY;
      case DELETE_FAMILY_VERSION -> KeyValueLayout.DELETE_FAMILY_VERSION;
    };
  }
}
