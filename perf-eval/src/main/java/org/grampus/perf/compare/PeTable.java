package org.grampus.perf.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.MeasuredServer;

/**
 * A table of PerformanceEvaluation: one region, unless its options divide it, since a stock HBase
 * would split it at 256 MB and Grampus at another moment.
 *
 * @param table its name
 * @param rows how many it has
 * @param options of PerformanceEvaluation, to make and fill it
 * @param shape what is left when it is filled
 */
record PeTable(String table, ToLongFunction<Sizes> rows, List<String> options, Shape shape)
    implements DataSet {
  /** The files of a table. */
  enum Shape {
    /** One. */
    COMPACTED,
    /**
     * One with all rows, compacted, then two of a fifth and a tenth of them, and a memtable with
     * less. Compactions are off from then on.
     */
    LAYERED,
    /** As the writers have left it. */
    WRITTEN
  }

  private static final List<String> LAYERS = List.of("0.2", "0.1");
  private static final String IN_MEMORY = "0.05";

  /** A table by its name, rows, shape and options. */
  static PeTable of(String table, ToLongFunction<Sizes> rows, Shape shape, String... options) {
    return new PeTable(table, rows, List.of(options), shape);
  }

  PeTable {
    options = List.copyOf(options);
  }

  @Override
  public void load(MeasuredServer server, Bench bench)
      throws ToolException, IOException, InterruptedException {
    Sizes sizes = bench.sizes();
    bench.run(server, arguments(sizes, Sizes.CLIENTS, List.of(), "sequentialWrite"));
    if (shape == Shape.WRITTEN) {
      server.awaitIdle();
      return;
    }
    bench.compact(server, table);
    if (shape == Shape.LAYERED) {
      bench.disableCompactions(server, table); // servers differ in when they merge small files
      for (String part : LAYERS) {
        write(server, bench, part);
        bench.flush(server, table);
      }
      write(server, bench, IN_MEMORY);
      server.awaitIdle();
    }
  }

  private void write(MeasuredServer server, Bench bench, String part)
      throws ToolException, IOException, InterruptedException {
    List<String> sampled = List.of("--sampleRate=" + part);
    bench.run(server, arguments(bench.sizes(), Sizes.CLIENTS, sampled, "randomWrite"));
  }

  /** Arguments for a test on it. */
  List<String> arguments(Sizes sizes, int clients, List<String> more, String test) {
    List<String> arguments = new ArrayList<>(List.of("pe", "--nomapred", "--table=" + table));
    arguments.add("--rows=" + rows.applyAsLong(sizes) / clients);
    arguments.add("--splitPolicy=" + DisabledRegionSplitPolicy.class.getName());
    arguments.addAll(options);
    arguments.addAll(more);
    arguments.addAll(List.of(test, String.valueOf(clients)));
    return arguments;
  }
}
