package org.grampus.perf.pe.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.grampus.perf.pe.command.PerformanceEvaluation;

/** A run of a PerformanceEvaluation in this process: its exit code and its lines. */
record PeRun(int exit, List<String> lines) {
  private static final String LOGGER = "org.apache.hadoop.hbase.PerformanceEvaluation";

  /** Ours. */
  static PeRun of(String line) throws Exception {
    return of(PeServer.get().configuration(), line);
  }

  /** Ours, with a configuration. */
  static PeRun of(Configuration conf, String line) throws Exception {
    return run(new PerformanceEvaluation(conf), conf, line);
  }

  /** HBase's. */
  static PeRun stock(String line) throws Exception {
    return stock(PeServer.get().configuration(), line);
  }

  /** HBase's, with a configuration. */
  static PeRun stock(Configuration conf, String line) throws Exception {
    return run(new org.apache.hadoop.hbase.PerformanceEvaluation(conf), conf, line);
  }

  private static PeRun run(Tool tool, Configuration conf, String line) throws Exception {
    Lines lines = new Lines();
    Logger logger = (Logger) LogManager.getLogger(LOGGER);
    lines.start();
    logger.addAppender(lines);
    try {
      int exit = ToolRunner.run(conf, tool, line.split(" "));
      return new PeRun(exit, List.copyOf(lines.said));
    } finally {
      logger.removeAppender(lines);
      lines.stop();
    }
  }

  /** The lines that have a text in them. */
  List<String> with(String text) {
    return lines.stream().filter(line -> line.contains(text)).toList();
  }

  /** Takes what is logged. */
  private static final class Lines extends AbstractAppender {
    private final List<String> said = new CopyOnWriteArrayList<>();

    Lines() {
      super("lines", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      said.addAll(Arrays.asList(event.getMessage().getFormattedMessage().split("\n")));
    }
  }

  /** Rows of a table. */
  static List<Result> rows(String table) throws IOException, InterruptedException {
    List<Result> rows = new ArrayList<>();
    try (Table open = PeServer.get().connection().getTable(TableName.valueOf(table));
        ResultScanner scanner = open.getScanner(new Scan())) {
      scanner.forEach(rows::add);
    }
    return rows;
  }

  /** Drops a table if there is one. */
  static void drop(String table) throws IOException, InterruptedException {
    TableName name = TableName.valueOf(table);
    try (Admin admin = PeServer.get().connection().getAdmin()) {
      if (admin.tableExists(name)) {
        admin.disableTable(name);
        admin.deleteTable(name);
      }
    }
  }
}
