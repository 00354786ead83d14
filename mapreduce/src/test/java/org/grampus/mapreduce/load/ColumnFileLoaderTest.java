package org.grampus.mapreduce.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

  @Test
  void familiesShareTheFilesOfACall() {
    String key = BulkLoadHFiles.MAX_FILES_PER_REGION_PER_FAMILY;
    Configuration site = new Configuration(false);
    assertEquals(1024, ColumnFileLoader.configuration(site, 1).getInt(key, 32));
    assertEquals(341, ColumnFileLoader.configuration(site, 3).getInt(key, 32));
    site.setInt(key, 7);
    assertEquals(7, ColumnFileLoader.configuration(site, 3).getInt(key, 32));
  }
}
