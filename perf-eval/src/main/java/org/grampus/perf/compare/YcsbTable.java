package org.grampus.perf.compare;

import java.io.IOException;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.ycsb.YcsbClient;

/**
 * YCSB's records: ten fields of 100 bytes each.
 *
 * @param table its name
 * @param records how many it has
 */
record YcsbTable(String table, ToLongFunction<Sizes> records) implements DataSet {
  private static final String LOADING_THREADS = "--threads=16";

  @Override
  public void load(MeasuredServer server, Bench bench)
      throws ToolException, IOException, InterruptedException {
    FlightTable.create(server, table, Compression.Algorithm.NONE);
    bench.run(
        server,
        List.of(
            "run",
            YcsbClient.class.getName(),
            "--load",
            "--records=" + records.applyAsLong(bench.sizes()),
            LOADING_THREADS,
            "--report=" + bench.newPath(),
            table));
    bench.compact(server, table);
  }
}
