package org.grampus.compat.table;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * HBase's store file tracker: what says which files a family has. The engine's is DEFAULT, the
 * directory. A master takes other trackers' files from a list that the engine does not write, and
 * would leave all others out of the daughters of a split.
 */
public final class FileTracker {
  /** The key of a server, a table or a family that names it. */
  public static final String KEY = "hbase.store.file-tracker.impl";

  private static final String DEFAULT = "DEFAULT";
  private static final String DEFAULT_CLASS =
      "org.apache.hadoop.hbase.regionserver.storefiletracker.DefaultStoreFileTracker";

  private FileTracker() {}

  /** Whether a name is that of DEFAULT, or its class, as HBase reads names. */
  public static boolean isDefault(String name) {
    return name.equalsIgnoreCase(DEFAULT) || name.equals(DEFAULT_CLASS);
  }

  /** Refuses a table of which a family has another tracker by a configuration. */
  public static void check(TableDescriptor table, Configuration conf) throws DoNotRetryIOException {
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      String name = FamilyAdapter.storeConfiguration(family, table, conf).get(KEY, DEFAULT);
      if (!isDefault(name)) {
        throw refused(
            "the family " + family.getNameAsString() + " of " + table.getTableName(), name);
      }
    }
  }

  /** Refuses a name that a table or a family is to have. */
  public static void check(String owner, String name) throws DoNotRetryIOException {
    if (!isDefault(name)) {
      throw refused(owner, name);
    }
  }

  private static DoNotRetryIOException refused(String owner, String name) {
    return new DoNotRetryIOException(
        owner
            + " is refused: its store file tracker is \""
            + name
            + "\", whose lists of files are not supported, so that a split or merge would lose rows;"
            + " give it "
            + KEY
            + " = DEFAULT when it is created or altered, and CLONE_SFT => 'DEFAULT' when it is"
            + " cloned");
  }
}
