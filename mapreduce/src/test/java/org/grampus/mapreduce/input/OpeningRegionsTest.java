package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.Test;

/** A table whose list of regions has one that is not open yet, and a replica that is missing. */
class OpeningRegionsTest {
  private static final TableName NAME = TableName.valueOf("opening");
  private static final int REGIONS = 4;
  private static final int SERVERS = 2;

  private final Configuration conf = HBaseConfiguration.create();
  private final CountedTable table =
      new CountedTable(conf, NAME, REGIONS, SERVERS).opening(2).missingReplica();

  @Test
  void theOldApiAsksWhereARegionIs() throws IOException {
    class Format extends org.grampus.mapreduce.mapred.TableInputFormat {
      Format(Connection connection) throws IOException {
        initializeTable(connection, NAME);
      }
    }
    conf.setInt("hbase.mapreduce.tableinput.mappers.per.region", 1);
    var splits = new Format(table.connection()).getSplits(new JobConf(conf), 1);
    assertEquals(REGIONS, splits.length);
    assertEquals("[host0]", Arrays.toString(splits[2].getLocations()));
    assertEquals(1, table.calls().get("reload"));
  }

  @Test
  void rowsOfTheOldApiAreThoseOfTheListAlsoWhenARegionIsSplitThen() throws IOException {
    CountedTable split = new CountedTable(conf, NAME, REGIONS, SERVERS).splitWhileOpening(2);
    class Format extends org.grampus.mapreduce.mapred.TableInputFormat {
      Format() throws IOException {
        initializeTable(split.connection(), NAME);
      }
    }
    conf.setInt("hbase.mapreduce.tableinput.mappers.per.region", 1);
    var splits = new Format().getSplits(new JobConf(conf), 1);
    assertEquals(REGIONS, splits.length);
    byte[] end = ((org.apache.hadoop.hbase.mapred.TableSplit) splits[2]).getEndRow();
    assertEquals("00003", Bytes.toString(end));
  }

  @Test
  void aReaderThatCannotBeMadeLeavesNoConnection() throws Exception {
    TableInputFormat format = new TableInputFormat();
    format.setConf(conf);
    format.initializeTable(table.connection(), NAME);
    conf.set("hbase.mapreduce.scan.batchsize", "many");
    assertThrows(IllegalArgumentException.class, () -> format.createRecordReader(null, null));
    assertEquals(1, table.calls().get("close connection"));
  }

  @Test
  void theNewApiAsksWhereARegionIs() throws Exception {
    conf.set(org.apache.hadoop.hbase.mapreduce.TableInputFormat.INPUT_TABLE, NAME.toString());
    TableInputFormat format = new TableInputFormat();
    format.setConf(conf);
    format.initializeTable(table.connection(), NAME);
    List<InputSplit> splits = format.getSplits(Job.getInstance(conf));
    assertEquals(REGIONS, splits.size());
    assertEquals("[host0]", Arrays.toString(splits.get(2).getLocations()));
  }
}
