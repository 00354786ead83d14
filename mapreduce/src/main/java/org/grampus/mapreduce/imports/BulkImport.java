package org.grampus.mapreduce.imports;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.ShutdownHookManager;
import org.grampus.mapreduce.load.BulkLoadJob;
import org.grampus.mapreduce.load.ColumnFileLoader;
import org.grampus.mapreduce.load.LoadSummary;
import org.grampus.mapreduce.load.LoadingServers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an import does around its job when rows reach the table as column files: reducers, a
 * directory of its own for the files, and their load. The directory goes when this is closed, and
 * when the process ends before.
 */
final class BulkImport implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(BulkImport.class);
  private static final String FILES = "files";
  private static final String LOCAL = "file";

  /** Behind the end of the job that is left behind, and before file systems are closed. */
  private static final int HOOK_PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 1;

  private final ImportRequest request;
  private final Connection connection;
  private final OwnDirectory directory;
  private final Runnable hook = this::removeQuietly;

  private BulkImport(ImportRequest request, Connection connection, OwnDirectory directory) {
    this.request = request;
    this.connection = connection;
    this.directory = directory;
  }

  /**
   * Looks whether column files can be loaded, before anything is done.
   *
   * @throws IOException when they cannot
   */
  static void requirePossible(Connection connection, Path directory) throws IOException {
    LoadingServers.require(connection);
    FileSystem fs = directory.getFileSystem(connection.getConfiguration());
    if (!LOCAL.equals(fs.getScheme())) {
      throw new IOException(
          "servers take column files from a local file system, and "
              + directory.getParent()
              + " is of another; name a directory that they see as well with --staging file:///DIR");
    }
  }

  /**
   * Completes a job, whose table is there.
   *
   * @param directory of this import alone, which is not there yet
   */
  static BulkImport of(Job job, ImportRequest request, Path directory) throws IOException {
    Configuration conf = job.getConfiguration();
    OwnDirectory own = OwnDirectory.of(directory.getFileSystem(conf), directory);
    BulkImport bulk = new BulkImport(request, ConnectionFactory.createConnection(conf), own);
    try {
      ShutdownHookManager.get().addShutdownHook(bulk.hook, HOOK_PRIORITY);
      bulk.configure(job);
      return bulk;
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(bulk);
      throw e;
    }
  }

  private void configure(Job job) throws IOException {
    Configuration conf = job.getConfiguration();
    if (directory.fs().equals(FileSystem.get(conf))) { // which has the borders of the regions
      conf.set(HConstants.TEMPORARY_FS_DIRECTORY_KEY, directory.path().toString());
    }
    BulkLoadJob.configure(job, connection, request.table(), files());
    job.setReducerClass(ImportReducer.class);
  }

  /**
   * Loads what the job has written.
   *
   * @throws IOException when some regions have not taken their rows, or it is not known that they
   *     have; others may have theirs
   */
  LoadSummary load() throws IOException {
    return new ColumnFileLoader(connection, request.table()).load(files());
  }

  private Path files() {
    return new Path(directory.path(), FILES);
  }

  private void removeQuietly() {
    try {
      directory.remove();
    } catch (IOException e) {
      LOG.warn("cannot remove {}", directory.path(), e);
    }
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      directory.remove();
    } finally {
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(hook);
      }
    }
  }
}
