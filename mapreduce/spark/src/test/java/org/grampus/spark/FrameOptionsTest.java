package org.grampus.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.jupiter.api.Test;

/** An option has an effect or is refused with a sentence. */
class FrameOptionsTest {
  private static final String COLUMNS = ":key=k:string,f:a=a:string";

  private static Map<String, String> options(String... more) {
    Map<String, String> options = new HashMap<>(Map.of("table", "t", "columns", COLUMNS));
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return options;
  }

  private static void refused(String sentence, String... more) {
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    new GrampusTable(new FrameOptions(options(more)), new Configuration(false))
                        .newWriteBuilder(null))
            .getMessage();
    assertTrue(said.contains(sentence), said);
  }

  @Test
  void keysOfScansAreRefused() {
    refused("filter and select", "hbase.mapreduce.scan.row.start", "a");
    refused("filter and select", "grampus.mapreduce.scan.filter", "KeyOnlyFilter()");
    refused("filter and select", "hbase.mapreduce.scan.batchsize", "1");
  }

  /** A data frame's own snapshot and scan would take their places. */
  @Test
  void keysThatSayWhatAJobReadsAreRefused() {
    String sentence = "the options table and snapshot say what it reads";
    refused(sentence, "hbase.TableSnapshotInputFormat.snapshot.name", "old");
    refused(sentence, "hbase.mapreduce.scan", "Cg==");
    refused(sentence, "hbase.mapreduce.inputtable", "u");
    refused(sentence, "grampus.mapreduce.snapshot.table", "u");
  }

  @Test
  void whatSaysTheSameTwiceIsRefused() {
    refused("are the same", "hbase.table", "u");
    refused("are the same", "hbase.columns.mapping", "k STRING :key");
  }

  @Test
  void aTimeRangeHasTwoEnds() {
    refused("FROM,TO", "timeRange", "1,2,3");
    refused("FROM,TO", "timeRange", "1");
    refused("FROM,TO", "timeRange", "2,1");
    assertEquals(2, new FrameOptions(options("timeRange", "1,2")).scan().getTimeRange().getMax());
  }

  @Test
  void presentIsAColumn() {
    refused("none of the columns", "present", "b");
    refused("none of the columns", "present", "k");
  }

  @Test
  void aWriteRefusesWhatSaysWhichRowsAreRead() {
    refused("write has no use", "snapshot", "s");
    refused("write has no use", "timeRange", "1,2");
    refused("write has no use", "present", "a");
    refused("write has no use", "server", "true");
    refused("write has no use", "grampus.mapreduce.splits", "4");
  }

  @Test
  void onlyWhatIsSetInTheSessionGoesBeforeTheSite() {
    Configuration session = new Configuration();
    String buffer = "io.file.buffer.size";
    assertEquals("4096", session.get(buffer), "Hadoop's default");
    FrameOptions options = new FrameOptions(options("hbase.client.retries.number", "3"));
    assertEquals(
        HBaseConfiguration.create().get(buffer), options.configuration(session).get(buffer));
    session.set(buffer, "8192");
    session.set("hbase.client.retries.number", "2");
    Configuration conf = options.configuration(session);
    assertEquals("8192", conf.get(buffer));
    assertEquals("3", conf.get("hbase.client.retries.number"));
    assertNull(conf.get("no.such.key"));
  }
}
