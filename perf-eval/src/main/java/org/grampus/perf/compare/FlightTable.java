package org.grampus.perf.compare;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.scan.FlightCopies;

/**
 * The demo's table, in one file.
 *
 * @param table its name
 * @param codec its compression
 * @param repeated whether there are several copies, or the one whose size is that of Parquet's file
 */
public record FlightTable(String table, FlightCodec codec, boolean repeated) implements DataSet {
  private static final String KEY = "--key=year,month,day,carrier,flight,origin,sched_dep_time";

  /**
   * A table of one region: a stock HBase would split it at 256 MB, and would keep the files of the
   * region that was split.
   */
  public static void create(MeasuredServer server, String table, Compression.Algorithm compression)
      throws IOException {
    create(server, table, compression, new byte[0][]);
  }

  /** A table whose regions begin at some keys, and which the server splits no further. */
  public static void create(
      MeasuredServer server, String table, Compression.Algorithm compression, byte[][] starts)
      throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(FlightCopies.FAMILY))
                      .setCompressionType(compression)
                      .build())
              .setSplitEnabled(false)
              .build(),
          starts);
    }
  }

  /** Arguments of the client that fills it with the one copy. */
  public static List<String> imported(Checkout checkout, String table) {
    return List.of("import", "--quiet", file(checkout), table, KEY);
  }

  /** Arguments of the client that writes {@code copies} copies with {@code rows} rows each. */
  public static List<String> copied(Checkout checkout, String table, long copies, long rows) {
    return List.of(
        "run",
        FlightCopies.class.getName(),
        file(checkout),
        table,
        "--copies=" + copies,
        "--rows=" + rows);
  }

  private static String file(Checkout checkout) {
    return checkout.perfEval().resolve("data/flights.csv.gz").toString();
  }

  /** Rows that it has: several copies have no more of each than tables have rows. */
  long rows(Sizes sizes) {
    return repeated ? sizes.copies() * rowsOfCopy(sizes) : FlightCopies.ROWS;
  }

  private static long rowsOfCopy(Sizes sizes) {
    return Math.min(FlightCopies.ROWS, sizes.rows());
  }

  @Override
  public void load(MeasuredServer server, Bench bench)
      throws ToolException, IOException, InterruptedException {
    create(server, table, codec.compression());
    bench.run(
        server,
        repeated
            ? copied(bench.checkout(), table, bench.sizes().copies(), rowsOfCopy(bench.sizes()))
            : imported(bench.checkout(), table));
    bench.compact(server, table);
    server.awaitOneStoreFile(table);
  }
}
