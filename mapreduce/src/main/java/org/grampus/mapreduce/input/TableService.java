package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.grampus.compat.protocol.PiecesReply;
import org.grampus.compat.protocol.PiecesRequest;
import org.grampus.compat.protocol.SplitService;

/**
 * The split service of a table's regions, through HBase's client. A client of another make may have
 * no classes for it, which is a {@link LinkageError} of this class alone. Any thread.
 */
final class TableService implements ServerPieces.Service {
  private final Connection connection;
  private final TableName name;

  TableService(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
  }

  @Override
  public ServerPieces.Answer ask(byte[] row, long pieceBytes) throws IOException {
    try (Table table = connection.getTable(name)) {
      PiecesReply reply =
          SplitService.getPieces(table.coprocessorService(row), new PiecesRequest(pieceBytes));
      List<Piece> pieces =
          reply.pieces().stream()
              .map(piece -> new Piece(piece.firstRow().toByteArray(), piece.bytes()))
              .toList();
      return new ServerPieces.Answer(pieces, reply.endKey().toByteArray());
    } catch (UnsupportedOperationException e) {
      throw (IOException)
          new UnknownProtocolException("the client calls no coprocessors").initCause(e);
    }
  }
}
