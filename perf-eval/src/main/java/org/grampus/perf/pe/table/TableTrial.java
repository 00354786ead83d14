package org.grampus.perf.pe.table;

import java.io.IOException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Finds out whether the server makes a table: by one of another name and of one region, which is
 * dropped at once. Only the server knows which codecs, policies and numbers of replicas it takes.
 */
final class TableTrial {
  private static final String SUFFIX = "_pe_trial";

  private TableTrial() {}

  /**
   * Tries it.
   *
   * @throws IOException when the server refuses the table, or has one of the other name
   */
  static void run(Admin admin, TableDescriptor descriptor) throws IOException {
    TableName trial = TableName.valueOf(descriptor.getTableName().getNameAsString() + SUFFIX);
    try {
      admin.createTable(TableDescriptorBuilder.copy(trial, descriptor));
    } catch (TableExistsException e) {
      throw new IOException(
          "--recreate tries its table under the name "
              + trial
              + ", and there is one, maybe of a run that was killed; drop it",
          e);
    }
    TestTable.drop(admin, trial);
  }
}
