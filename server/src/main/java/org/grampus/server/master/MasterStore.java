package org.grampus.server.master;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.master.region.MasterRegionFactory;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory {@code MasterData} in which a master keeps its procedures and the place of
 * hbase:meta, as a kill of the very first start leaves it.
 *
 * <p>HBase's {@code MasterRegion} marks its table directory as initialized before it makes the
 * region in it (in this order: the mark, the descriptor, the region's directory, {@code
 * .regioninfo}, and only then its log). A master that finds the mark without a whole region aborts,
 * at this and at every later start.
 *
 * <p>The log comes last, and the region takes its first edit when the log is there. While {@code
 * MasterData} below hbase.rootdir and hbase.wal.dir holds no file but descriptors, nothing was ever
 * acknowledged from it, and the master can make it again. Any other file, be it empty or archived,
 * is a sign of a later time: then nothing is touched.
 */
final class MasterStore {
  private static final Logger LOG = LoggerFactory.getLogger(MasterStore.class);

  private static final Set<String> DESCRIPTORS =
      Set.of(HRegionFileSystem.REGION_INFO_FILE, FSTableDescriptors.TABLEINFO_FILE_PREFIX);

  private MasterStore() {}

  /** Removes a store that never was complete, so that the master makes one. */
  static void removeUnfinished(Configuration conf) throws IOException {
    Path data = dataBelow(CommonFSUtils.getRootDir(conf));
    Path table =
        data.resolve(HConstants.BASE_NAMESPACE_DIR)
            .resolve(MasterRegionFactory.TABLE_NAME.getNamespaceAsString())
            .resolve(MasterRegionFactory.TABLE_NAME.getQualifierAsString());
    if (Files.isDirectory(table)
        && holdsDescriptorsOnly(data)
        && holdsDescriptorsOnly(dataBelow(CommonFSUtils.getWALRootDir(conf)))) {
      removeTree(table);
      LOG.info("removed {}: an earlier start was killed before the master's store existed", table);
    }
  }

  private static Path dataBelow(org.apache.hadoop.fs.Path root) {
    return Path.of(root.toUri().getPath()).resolve(MasterRegionFactory.MASTER_STORE_DIR);
  }

  private static boolean holdsDescriptorsOnly(Path data) throws IOException {
    if (!Files.exists(data)) {
      return true;
    }
    try (Stream<Path> paths = Files.walk(data)) {
      return paths.filter(path -> !Files.isDirectory(path)).allMatch(MasterStore::isDescriptor);
    }
  }

  private static boolean isDescriptor(Path file) {
    String name = file.getFileName().toString();
    return DESCRIPTORS.stream().anyMatch(name::startsWith);
  }

  private static void removeTree(Path top) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(top)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.delete(path);
    }
  }
}
