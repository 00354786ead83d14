package org.grampus.mapreduce.load;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.junit.jupiter.api.Test;

/** What a load is configured with, whatever the site says. */
class ColumnFileLoaderTest {
  @Test
  void familiesComeTogetherAndUnansweredCallsAreNotRepeated() {
    Configuration site = HBaseConfiguration.create();
    site.setBoolean(BulkLoadHFiles.RETRY_ON_IO_EXCEPTION, true);
    site.setBoolean(BulkLoadHFiles.BULK_LOAD_HFILES_BY_FAMILY, true);
    Configuration ofLoad = ColumnFileLoader.configuration(site);
    assertFalse(ofLoad.getBoolean(BulkLoadHFiles.RETRY_ON_IO_EXCEPTION, true));
    assertFalse(ofLoad.getBoolean(BulkLoadHFiles.BULK_LOAD_HFILES_BY_FAMILY, true));
  }
}
