package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.Test;

/**
 * Splits by start keys that are not those of the regions, as hbase.mapreduce.splittable has them.
 */
class PartsOfRegionsTest {
  private static final TableName NAME = TableName.valueOf("parts");
  private static final byte[][] BORDERS = {
    {}, Bytes.toBytes("00000a"), Bytes.toBytes("00000b"), Bytes.toBytes("00001"), {}
  };

  /** Four parts of two regions. */
  private static final class Format extends TableInputFormat {
    @Override
    protected Pair<byte[][], byte[][]> getStartEndKeys() {
      byte[][] starts = new byte[BORDERS.length - 1][];
      byte[][] ends = new byte[BORDERS.length - 1][];
      System.arraycopy(BORDERS, 0, starts, 0, starts.length);
      System.arraycopy(BORDERS, 1, ends, 0, ends.length);
      return new Pair<>(starts, ends);
    }
  }

  @Test
  void thePartsOfARegionHaveItsBytesTogether() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    Format format = new Format();
    format.setConf(conf);
    format.initializeTable(new CountedTable(conf, NAME, 2, 1).connection(), NAME);
    List<InputSplit> splits = format.getSplits(Job.getInstance(conf));
    long region = splits.get(3).getLength();
    assertEquals(100L << 20, region);
    for (InputSplit part : splits.subList(0, 3)) {
      assertEquals(region / 3, part.getLength());
    }
  }
}
