package org.grampus.mapreduce.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.grampus.mapreduce.row.RowOptions;
import org.junit.jupiter.api.Test;

/** What a job is configured with, whatever the site says. */
class ImportJobTest {
  private static Configuration job() throws IOException {
    Configuration site = HBaseConfiguration.create();
    site.setInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, 50);
    site.setInt(MRJobConfig.REDUCE_FAILURES_MAXPERCENT, 50);
    RowOptions rows = new RowOptions(null, "k", "|", "f", 1, null, false, 0);
    ImportRequest request =
        new ImportRequest(TableName.valueOf("t"), null, null, rows, new Path("file:///bad"), 0);
    return ImportJob.of(site, request, new Path[] {new Path("file:///a.csv")}).getConfiguration();
  }

  @Test
  void noTaskMayFail() throws IOException {
    assertEquals(0, job().getInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, 0));
    assertEquals(0, job().getInt(MRJobConfig.REDUCE_FAILURES_MAXPERCENT, 0));
  }

  @Test
  void tasksOnAClusterHaveAllOfParquet() throws IOException {
    String jars = job().get("tmpjars");
    for (String jar :
        List.of(
            "parquet-hadoop", "parquet-column", "parquet-format", "parquet-jackson", "jts-core")) {
      assertTrue(jars.contains(jar), jar + " is not in " + jars);
    }
  }
}
