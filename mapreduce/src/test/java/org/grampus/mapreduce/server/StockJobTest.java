package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.Export;
import org.apache.hadoop.hbase.mapreduce.RowCounter;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.ToolRunner;
import org.grampus.mapreduce.input.TableInputFormat;
import org.junit.jupiter.api.Test;

/** HBase's own jobs, which a key alone leads to our format: nothing of them is compiled anew. */
class StockJobTest extends DownloadCase {
  private static final int SPLITS = 7;

  /** As {@code -Dhbase.table.input.class=... -Dgrampus.mapreduce.splits=7} sets it. */
  private Configuration ours() {
    Configuration conf = configuration();
    conf.set(TableMapReduceUtil.TABLE_INPUT_CLASS_KEY, TableInputFormat.class.getName());
    conf.setInt("grampus.mapreduce.splits", SPLITS);
    return conf;
  }

  private void assertRead(Job job, long rows) throws Exception {
    assertTrue(job.waitForCompletion(false), job.getStatus().getFailureInfo());
    assertEquals(rows, job.getCounters().findCounter("Grampus", "ROWS").getValue());
    long tasks = 0;
    for (Counter setting : job.getCounters().getGroup("Grampus settings")) {
      tasks += setting.getName().startsWith("batch = ") ? setting.getValue() : 0;
    }
    assertEquals(SPLITS, tasks);
  }

  @Test
  void aRowCounterCountsByTheCommandLineAlone() throws Exception {
    create(b(row(100)), b(row(200)));
    fill(ROWS);
    long rows = scanned(name, new Scan()).size();
    String format = "-D" + TableMapReduceUtil.TABLE_INPUT_CLASS_KEY + "=";
    for (long expected : new long[] {rows, rows + 1}) {
      String[] arguments = {
        format + TableInputFormat.class.getName(),
        "-Dgrampus.mapreduce.splits=" + SPLITS,
        name.getNameAsString(),
        "--expectedCount=" + expected
      };
      int code = ToolRunner.run(configuration(), new RowCounter(), arguments);
      assertEquals(expected == rows ? 0 : 1, code);
    }
  }

  /** The deprecated call is the one that says which job it is. */
  @SuppressWarnings("deprecation")
  @Test
  void aRowCounterHasOurSplitsAndCounters() throws Exception {
    create(b(row(100)), b(row(200)));
    fill(ROWS);
    Job job = RowCounter.createSubmittableJob(ours(), new String[] {name.getNameAsString()});
    assertEquals(TableInputFormat.class, job.getInputFormatClass());
    long rows = scanned(name, new Scan()).size();
    assertRead(job, rows);
    String group = RowCounter.class.getName() + "$RowCounterMapper$Counters";
    assertEquals(rows, job.getCounters().findCounter(group, "ROWS").getValue());
  }

  @Test
  void anExportHasEveryVersion() throws Exception {
    create(b(row(100)), b(row(200)));
    fill(ROWS);
    String to = target("exported").toUri().toString();
    String[] arguments = {name.getNameAsString(), to, "5"};
    assertRead(Export.createSubmittableJob(ours(), arguments), scanned(name, new Scan()).size());
    List<String> exported = new ArrayList<>(sequences(parts("exported")));
    exported.sort(null);
    assertEquals(scanned(name, new Scan().readVersions(5)), exported);
  }
}
