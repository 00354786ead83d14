package org.grampus.perf.process;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.perf.ToolException;

/**
 * What a server has below an {@code hbase.rootdir} on HDFS.
 *
 * @param root the directory
 * @param fs its file system
 */
record RemoteFiles(Path root, FileSystem fs) {
  /** Bytes of all files; of those that are open, those that were in full blocks. */
  long bytes() throws IOException {
    return fs.getContentSummary(root).getLength();
  }

  /** Bytes of a table's files; 0 where there is none. */
  long tableBytes(String table) throws IOException {
    return fs.exists(directory(table)) ? fs.getContentSummary(directory(table)).getLength() : 0;
  }

  private Path directory(String table) {
    return new Path(root, "data/default/" + table);
  }

  /**
   * Waits until a table has one store file; returns its bytes.
   *
   * @throws ToolException when it has more after a while
   */
  long awaitOneStoreFile(String table) throws ToolException, IOException, InterruptedException {
    Await.until("one store file of " + table, List.of(), () -> storeFiles(table).size() == 1);
    return storeFiles(table).get(0).getLen();
  }

  /** REGION/FAMILY/FILE. A region also has directories of its own, such as .tmp. */
  private List<FileStatus> storeFiles(String table) throws IOException {
    return Arrays.stream(fs.globStatus(new Path(directory(table), "*/*/*")))
        .filter(file -> file.isFile() && !file.getPath().getParent().getName().contains("."))
        .toList();
  }

  /** Deletes all. */
  void delete() throws IOException {
    fs.delete(root, true);
  }
}
