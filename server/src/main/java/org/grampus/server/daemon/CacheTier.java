package org.grampus.server.daemon;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.grampus.engine.EngineConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The second tier of the block cache, from the keys of HBase's bucket cache.
 *
 * @param paths absolute, each a file of its own
 * @param bytes of all files together
 * @param reserve the files are allocated in full at the start
 * @param index absolute path of the file that keeps what the tier holds over a restart, if any
 */
record CacheTier(List<String> paths, long bytes, boolean reserve, Optional<String> index) {
  private static final Logger LOG = LoggerFactory.getLogger(CacheTier.class);

  private static final String ENGINE = HConstants.BUCKET_CACHE_IOENGINE_KEY;
  private static final String SIZE = HConstants.BUCKET_CACHE_SIZE_KEY;
  private static final String INDEX = HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY;
  private static final String OFF_HEAP = "offheap";
  private static final List<String> SPARSE = List.of("file:", "files:");
  private static final List<String> RESERVED = List.of("mmap:", "pmem:");
  private static final String FORMS =
      "give file:, files:, mmap: or pmem: with absolute paths between commas, or offheap";
  private static final long MEGABYTE = 1 << 20;
  private static final double MEGABYTES_MAX = 1e12;

  /** The tier that is asked for; empty without one, and with {@code offheap}, which says so. */
  static Optional<CacheTier> from(Configuration conf) throws StartupException {
    String engine = conf.getTrimmed(ENGINE, "");
    if (engine.isEmpty()) {
      return Optional.empty();
    }
    if (engine.startsWith(OFF_HEAP)) {
      LOG.warn(
          "{} is {}: the block cache is off heap already and hfile.block.cache.size is its size;"
              + " {} is not read",
          ENGINE,
          engine,
          SIZE);
      return Optional.empty();
    }
    String prefix =
        Stream.concat(SPARSE.stream(), RESERVED.stream())
            .filter(engine::startsWith)
            .findFirst()
            .orElseThrow(() -> new StartupException(ENGINE + " is " + engine + "; " + FORMS));
    List<String> paths = paths(engine.substring(prefix.length()));
    return Optional.of(
        new CacheTier(paths, bytes(conf, paths), RESERVED.contains(prefix), index(conf, paths)));
  }

  private static Optional<String> index(Configuration conf, List<String> paths)
      throws StartupException {
    String path = conf.getTrimmed(INDEX, "");
    if (path.isEmpty()) {
      return Optional.empty();
    }
    if (!path.startsWith("/") || paths.contains(path)) {
      throw new StartupException(
          INDEX + " is " + path + "; give the absolute path of a file of its own");
    }
    return Optional.of(path);
  }

  private static List<String> paths(String text) throws StartupException {
    List<String> paths = Stream.of(text.split(",", -1)).map(String::trim).toList();
    for (String path : paths) {
      if (!path.startsWith("/")) {
        throw new StartupException(ENGINE + " has the path \"" + path + "\"; " + FORMS);
      }
    }
    if (new HashSet<>(paths).size() < paths.size()) {
      throw new StartupException(ENGINE + " names a path twice; give each once");
    }
    return paths;
  }

  private static long bytes(Configuration conf, List<String> paths) throws StartupException {
    String text = conf.getTrimmed(SIZE, "");
    double megabytes;
    try {
      megabytes = text.isEmpty() ? 0 : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      megabytes = Double.NaN;
    }
    if (!(megabytes >= paths.size() && megabytes <= MEGABYTES_MAX)) {
      throw new StartupException(
          SIZE
              + (text.isEmpty() ? " is not set" : " is " + text)
              + "; give the megabytes of all paths together, at least 1 for each");
    }
    return (long) (megabytes * MEGABYTE);
  }

  /** As the engine takes it. */
  EngineConfig.CacheTier config() {
    return new EngineConfig.CacheTier(paths, bytes, reserve, index.orElse(null));
  }
}
