package org.grampus.mapreduce.load;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.tool.LoadIncrementalHFiles;

/**
 * HBase's tool, which knows the files that its calls have put into the table, also when something
 * fails after them. Any thread.
 */
@SuppressWarnings("deprecation") // the tool's own class has the hook
final class LoadTool extends BulkLoadHFilesTool {
  private final Set<Path> loaded = ConcurrentHashMap.newKeySet();

  LoadTool(Configuration conf) {
    super(conf);
  }

  /** The files of calls that a server has answered. */
  Set<Path> loaded() {
    return Set.copyOf(loaded);
  }

  @Override
  protected List<LoadIncrementalHFiles.LoadQueueItem> tryAtomicRegionLoad(
      Connection tools,
      TableName target,
      byte[] first,
      Collection<LoadIncrementalHFiles.LoadQueueItem> items,
      boolean copy)
      throws IOException {
    List<LoadIncrementalHFiles.LoadQueueItem> again =
        super.tryAtomicRegionLoad(tools, target, first, items, copy);
    for (LoadIncrementalHFiles.LoadQueueItem item : items) {
      if (!again.contains(item)) {
        loaded.add(item.getFilePath());
      }
    }
    return again;
  }
}
