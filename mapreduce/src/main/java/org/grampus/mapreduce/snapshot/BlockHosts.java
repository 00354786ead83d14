package org.grampus.mapreduce.snapshot;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.HDFSBlocksDistribution.HostAndWeight;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.Pair;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the file system keeps the blocks of a region's files. As in HBase's format, hosts with
 * nearly as much as the best one, three at most. Any thread.
 */
public final class BlockHosts {
  private static final Logger LOG = LoggerFactory.getLogger(BlockHosts.class);

  private static final float CUTOFF = 0.8f;
  private static final int HOSTS_MAX = 3;

  private final Configuration conf;
  private final FileSystem fs;
  private final boolean enabled;

  /** Places of files below the root directory that the configuration names. */
  public BlockHosts(Configuration conf) throws IOException {
    this.conf = conf;
    this.fs = CommonFSUtils.getRootDir(conf).getFileSystem(conf);
    this.enabled = conf.getBoolean(HBaseKeys.LOCALITY, true);
  }

  /** The best hosts for a region, best first; none when the job does not want them. */
  public List<String> hosts(SnapshotRegion region) throws IOException {
    if (!enabled) {
      return List.of();
    }
    HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
    for (FamilyFiles family : region.manifest().getFamilyFilesList()) {
      for (StoreFile file : family.getStoreFilesList()) {
        add(region, family.getFamilyName().toStringUtf8(), file.getName(), blocks);
      }
    }
    return best(blocks.getTopHostsWithWeights());
  }

  private void add(SnapshotRegion region, String family, String file, HDFSBlocksDistribution blocks)
      throws IOException {
    try {
      FileStatus status = link(region, family, file).getFileStatus(fs);
      for (BlockLocation block : fs.getFileBlockLocations(status, 0, status.getLen())) {
        blocks.addHostsAndBlockWeight(block.getHosts(), block.getLength());
      }
    } catch (FileNotFoundException e) {
      // The task says what is missing; a place is only a hint.
      LOG.warn("no places of {} in {}", file, region.info().getEncodedName(), e);
    }
  }

  /** The file behind a name, wherever HBase has moved it. */
  private HFileLink link(SnapshotRegion region, String family, String name) throws IOException {
    TableName table = region.info().getTable();
    String owner = region.info().getEncodedName();
    String file = name;
    if (StoreFileInfo.isReference(name)) {
      Pair<String, String> referred = StoreFileInfo.getReferredToRegionAndFile(name);
      owner = referred.getFirst();
      file = referred.getSecond();
    }
    if (HFileLink.isHFileLink(file)) {
      return HFileLink.buildFromHFileLinkPattern(conf, new Path(family, file));
    }
    return HFileLink.build(conf, table, owner, family, file);
  }

  private List<String> best(HostAndWeight[] hosts) {
    List<String> best = new ArrayList<>();
    double cutoff = conf.getFloat(HBaseKeys.LOCALITY_CUTOFF, CUTOFF);
    for (HostAndWeight host : hosts) {
      boolean near = best.isEmpty() || host.getWeight() >= hosts[0].getWeight() * cutoff;
      if (!near || best.size() == HOSTS_MAX) {
        break;
      }
      best.add(host.getHost());
    }
    return best;
  }
}
