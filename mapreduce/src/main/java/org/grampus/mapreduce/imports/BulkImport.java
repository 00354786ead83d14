package org.grampus.mapreduce.imports;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.mapreduce.Counters;
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

  /** Behind the end of the job that is left behind, and before file systems are closed. */
  private static final int HOOK_PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 1;

  private final ImportRequest request;
  private final Connection connection;
  private final OwnDirectory directory;
  private final Runnable hook;

  private BulkImport(ImportRequest request, Connection connection, OwnDirectory directory) {
    this.request = request;
    this.connection = connection;
    this.directory = directory;
    this.hook = directory::remove;
  }

  /**
   * Looks whether column files can be loaded, before anything is done.
   *
   * @throws IOException when they cannot
   */
  static void requirePossible(Connection connection, Path directory) throws IOException {
    LoadingServers.require(connection);
    Configuration conf = connection.getConfiguration();
    FileSystem servers = CommonFSUtils.getRootDir(conf).getFileSystem(conf);
    try {
      servers.makeQualified(directory); // two names of one name node are the same
    } catch (IllegalArgumentException e) {
      throw new IOException(
          String.format(
              "servers take column files from the file system of %s, %s, and %s is of another; name"
                  + " a directory there with --staging",
              HConstants.HBASE_DIR, servers.getUri(), directory.getParent()),
          e);
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
      bulk.close();
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
   * @param counters of the job, which has succeeded
   * @throws IOException when some regions have not taken their rows, or it is not known that they
   *     have; others may have theirs
   */
  LoadSummary load(Counters counters) throws IOException {
    BulkLoadJob.requireAll(connection.getConfiguration(), counters, files());
    try {
      return new ColumnFileLoader(connection, request.table()).load(files());
    } catch (IOException e) {
      throw new IOException(
          "the load is not complete, and some regions of "
              + request.table()
              + " may have their rows; run the import again: "
              + reason(e),
          e);
    }
  }

  /** Without what the loader says of files, which go with this import. */
  private static String reason(IOException failure) {
    Throwable reason = failure.getCause() == null ? failure : failure.getCause();
    StringBuilder text = new StringBuilder(String.valueOf(reason.getMessage()));
    if (reason.getCause() != null) {
      text.append(": ").append(reason.getCause().getMessage());
    }
    return text.toString();
  }

  private Path files() {
    return new Path(directory.path(), FILES);
  }

  /**
   * What cannot be tidied up is a warning: rows are in the table, or another error is on its way.
   */
  @Override
  public void close() {
    directory.remove();
    if (!ShutdownHookManager.get().isShutdownInProgress()) {
      ShutdownHookManager.get().removeShutdownHook(hook);
    }
    try {
      connection.close();
    } catch (IOException e) {
      LOG.warn("cannot close the connection of the load into {}", request.table(), e);
    }
  }
}
