package org.grampus.mapreduce.load;

import java.io.IOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.grampus.compat.protocol.PiecesRequest;
import org.grampus.compat.protocol.SplitService;

/** Whether servers can take column files. */
public final class LoadingServers {
  private LoadingServers() {}

  /**
   * Asks the server of hbase:meta for what Grampus alone has: a stock HBase would find out that
   * column files are no HFiles only when they are written.
   *
   * @throws IOException when it is a stock HBase, or does not answer
   */
  public static void require(Connection connection) throws IOException {
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
      SplitService.getPieces(
          meta.coprocessorService(HConstants.EMPTY_START_ROW), new PiecesRequest(Long.MAX_VALUE));
    } catch (UnknownProtocolException e) {
      throw new IOException(
          "these servers are a stock HBase, which cannot take column files; leave --bulk out", e);
    }
  }
}
