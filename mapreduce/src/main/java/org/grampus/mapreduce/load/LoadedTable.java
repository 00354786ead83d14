package org.grampus.mapreduce.load;

import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.table.FamilyAdapter;
import org.grampus.engine.FamilyDescription;
import org.grampus.mapreduce.keys.JobKeys;

/** The table for which a job writes files, in the job's configuration. */
public final class LoadedTable {
  private static final String KEY = JobKeys.LOAD + "table";

  private LoadedTable() {}

  static void set(Configuration job, TableDescriptor table) {
    byte[] bytes = TableDescriptorBuilder.toByteArray(table);
    job.set(KEY, Base64.getEncoder().encodeToString(bytes));
  }

  /** The families by their names. */
  public static Map<byte[], FamilyDescription> families(Configuration job) throws IOException {
    String text = job.get(KEY);
    if (text == null) {
      throw new IOException("the job has no table; configure it by BulkLoadJob");
    }
    try {
      return families(TableDescriptorBuilder.parseFrom(Base64.getDecoder().decode(text)), job);
    } catch (DeserializationException | IllegalArgumentException e) {
      throw new IOException(KEY + " of the job is no table", e);
    }
  }

  static Map<byte[], FamilyDescription> families(TableDescriptor table, Configuration conf) {
    Map<byte[], FamilyDescription> families = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    FamilyAdapter.families(table, conf).forEach(family -> families.put(family.name(), family));
    return families;
  }
}
