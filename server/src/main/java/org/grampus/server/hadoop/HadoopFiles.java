package org.grampus.server.hadoop;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.grampus.engine.AppendStream;
import org.grampus.engine.EngineFiles;
import org.grampus.engine.FileEntry;
import org.grampus.engine.FileException;
import org.grampus.engine.OpenFile;
import org.grampus.server.env.HadoopFileSystems;

/**
 * The files of the engine on Hadoop's file systems, which are found by the URIs of paths and opened
 * by {@link HadoopFileSystems}. Any thread; calls wait for other machines.
 */
public final class HadoopFiles implements EngineFiles, Closeable {
  /** What a log needs of an output stream, by Hadoop's names. */
  private static final List<String> CAPABILITIES = List.of("hflush", "hsync");

  private static final long RECOVERY_MAX_MILLIS = 900_000;

  private final Configuration conf;
  private final boolean enforce;
  private final LeaseRecovery leases;
  private final ArchiveDirs archives;
  private final LogReplicas replicas;
  private final FanOutStreams fanOut; // or null: logs have pipeline streams
  private final Map<String, FileSystem> systems = new HashMap<>(); // by scheme and authority
  private boolean closed;

  private final ExecutorService abandoned =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "abandoned-files");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Files with the settings of a configuration, which is copied.
   *
   * @throws IllegalArgumentException when it asks for a stream of logs that there is not, or for
   *     waits of 0
   */
  public HadoopFiles(Configuration conf) {
    this.conf = new Configuration(conf);
    this.enforce = HadoopFileSystems.mustKeepLogs(conf);
    this.archives = ArchiveDirs.of(conf);
    this.leases =
        new LeaseRecovery(
            Duration.ofMillis(conf.getLong("hbase.lease.recovery.timeout", RECOVERY_MAX_MILLIS)));
    this.replicas = new LogReplicas(conf);
    this.fanOut =
        LogStreamKind.of(conf) == LogStreamKind.FAN_OUT
            ? new FanOutStreams(this.conf, leases, replicas)
            : null;
  }

  /**
   * Of the logs that have fan-out streams. Pipeline streams are not watched: where HDFS finds no
   * data node in the place of one that failed, their segments go on with fewer until they are full.
   */
  public LogReplicas replicas() {
    return replicas;
  }

  @Override
  public OpenFile open(String path) throws IOException {
    Path file = path(path);
    return in(file, fs -> HadoopRead.open(fs, fs.getFileStatus(file)));
  }

  @Override
  public AppendStream create(String path, boolean bulk) throws IOException {
    Path file = path(path);
    return in(file, fs -> pipeline(fs, file, bulk));
  }

  @Override
  public AppendStream createLog(String path, long most) throws IOException {
    Path file = path(path);
    return in(
        file,
        fs ->
            fanOut != null && fs instanceof DistributedFileSystem dfs
                ? fanOut.create(dfs, file, most)
                : pipeline(fs, file, false));
  }

  private AppendStream pipeline(FileSystem fs, Path file, boolean bulk) throws IOException {
    FSDataOutputStream out = stream(fs, file, bulk);
    if (enforce && !bulk) { // an erasure coded file's stream reports neither
      requireCapabilities(fs, file, out);
    }
    return new HadoopAppend(file, out, abandoned);
  }

  /** Hadoop's builders replace what is there unless they are told not to. */
  private static FSDataOutputStream stream(FileSystem fs, Path file, boolean bulk)
      throws IOException {
    if (fs instanceof DistributedFileSystem dfs) {
      // A block that is full goes to the media, too: a sync reaches no further back than the block.
      var builder = dfs.createFile(file).overwrite(false).syncBlock();
      // Erasure coded files have no hflush.
      return bulk ? builder.build() : builder.replicate().build();
    }
    return fs.createFile(file).overwrite(false).build();
  }

  /** Only a stream says what it can do: its file is taken back where that is too little. */
  private static void requireCapabilities(FileSystem fs, Path file, FSDataOutputStream out)
      throws IOException {
    for (String capability : CAPABILITIES) {
      if (!out.hasCapability(capability)) {
        IOException failure = FileFailures.lacks(file, capability);
        also(failure, out);
        also(failure, () -> fs.delete(file, false));
        throw failure;
      }
    }
  }

  /** What else fails is told beside a failure, not instead of it. */
  static void also(IOException failure, Closeable step) {
    try {
      step.close();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void recoverLease(String path) throws IOException {
    Path file = path(path);
    try {
      leases.recover(system(file), file); // not Uninterrupted: a stop must be able to end it
    } catch (IOException e) {
      throw FileFailures.of(e);
    }
  }

  @Override
  public String list(String directory) throws IOException {
    Path path = path(directory);
    List<FileEntry> entries = new ArrayList<>();
    for (FileStatus status : in(path, fs -> listed(fs, path))) {
      entries.add(entry(status));
    }
    return FileEntry.text(entries);
  }

  /** Hadoop lists a file as its own only entry. */
  private static FileStatus[] listed(FileSystem fs, Path directory) throws IOException {
    FileStatus[] found = fs.listStatus(directory);
    if (found.length == 1 && fs.getFileStatus(directory).isFile()) {
      throw new FileException(
          FileException.Kind.NOT_A_DIRECTORY, directory + " is a file and no directory");
    }
    return found;
  }

  @Override
  public String status(String path) throws IOException {
    Path file = path(path);
    try {
      return entry(in(file, fs -> fs.getFileStatus(file))).text();
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  private static FileEntry entry(FileStatus status) {
    long bytes = status.isDirectory() ? 0 : status.getLen();
    return new FileEntry(
        status.getPath().getName(), status.isDirectory(), bytes, HadoopRename.id(status));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Path source = path(from);
    Path target = path(to);
    in(
        source,
        fs -> {
          if (archives.contains(target)) {
            ArchiveDirs.touch(fs, source);
          }
          HadoopRename.run(fs, source, target);
          return null;
        });
  }

  @Override
  public void delete(String path) throws IOException {
    Path file = path(path);
    if (!in(file, fs -> fs.delete(file, false))) {
      throw new FileNotFoundException(file + " does not exist");
    }
  }

  @Override
  public void makeDirectories(String directory) throws IOException {
    Path path = path(directory);
    if (!in(path, fs -> fs.mkdirs(path))) {
      throw new IOException("cannot make the directory " + path);
    }
  }

  /** A step on a file system. */
  private interface Step<T> {
    T run(FileSystem fs) throws IOException;
  }

  private <T> T in(Path path, Step<T> step) throws IOException {
    try {
      return Uninterrupted.run(() -> step.run(system(path)));
    } catch (IOException e) {
      throw FileFailures.of(e);
    }
  }

  private synchronized FileSystem system(Path path) throws IOException {
    if (closed) { // a thread of the engine may still be at work: it must not open them again
      throw new IOException("the file systems are closed");
    }
    String key = path.toUri().getScheme() + "://" + path.toUri().getAuthority();
    FileSystem fs = systems.get(key);
    if (fs == null) {
      fs = HadoopFileSystems.open(path, conf);
      systems.put(key, fs);
    }
    return fs;
  }

  /**
   * {@code hdfs://nn}, the engine's parent of {@code hdfs://nn/a}, is Hadoop's {@code hdfs://nn/}.
   */
  private static Path path(String text) {
    Path path = new Path(text);
    return path.toUri().getPath().isEmpty() ? new Path(path, "/") : path;
  }

  /** Closes the file systems. Called when the engine is closed. */
  @Override
  public void close() throws IOException {
    List<FileSystem> open;
    synchronized (this) { // without waiting for a machine
      closed = true;
      open = List.copyOf(systems.values());
      systems.clear();
    }
    abandoned.shutdown();
    if (fanOut != null) {
      fanOut.close();
    }
    leases.close();
    for (FileSystem fs : open) {
      fs.close();
    }
  }
}
