package org.grampus.perf.trouble;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.process.Await;
import org.grampus.perf.process.Daemon;

/**
 * Two of three replicas of each column file and of each closed log segment of one region server are
 * corrupt on disk, and that server is killed: its log is split and its files are read from the
 * replicas that are left. With three data nodes HDFS cannot make new ones, so this comes last.
 */
record CorruptReplicas(Bench bench) implements Trouble {
  @Override
  public void cause() throws ToolException, IOException, InterruptedException {
    Node victim = bench.regionServers().get(0);
    ServerName name = bench.name(victim);
    Path logs = new Path(bench.root(), "WALs/" + name);
    Path data = new Path(bench.root(), "data/default");
    bench.flush();
    roll(name, logs);
    awaitReplicas(data);
    awaitReplicas(
        logs); // one that was begun while a data node was away is on fewer until it is closed
    int files = corruptAll(data, "/[0-9a-f]{32}/[^/.]+/[^/.]+");
    int segments = corruptAll(logs, "/[^/]+");
    if (files == 0 || segments == 0) {
      throw new ToolException(
          files + " column files and " + segments + " segments have been made corrupt");
    }
    System.out.printf(Locale.ROOT, "(%d column files, %d segments) ", files, segments);
    bench.mayEnd(List.of(victim));
    victim.daemon().kill();
  }

  @Override
  public void verify() throws ToolException, IOException {
    if (bench.hdfs().getCorruptBlocksCount() == 0) {
      throw new ToolException("no reader has met a corrupt replica");
    }
  }

  /** Writes go on, so that the segment that is closed now is not empty and stays for a while. */
  private void roll(ServerName name, Path logs)
      throws ToolException, IOException, InterruptedException {
    try (Admin admin = bench.connection().getAdmin()) {
      admin.rollWALWriter(name);
    }
    Await.until("a closed segment of " + name, List.of(), () -> !closed(logs, "/[^/]+").isEmpty());
  }

  /** A data node that was slow or away may lack some. */
  private void awaitReplicas(Path directory) throws ToolException, InterruptedException {
    Await.until(
        "all replicas",
        List.of(),
        () -> {
          for (Path file : closed(directory, ".*")) {
            if (blocks(file).stream().anyMatch(block -> !isWhole(block))) {
              return false;
            }
          }
          return true;
        });
  }

  private boolean isWhole(LocatedBlock block) {
    return block.getLocations().length == bench.cluster().hdfs().dataNodes().size();
  }

  /** Returns how many files. */
  private int corruptAll(Path directory, String names) throws ToolException, IOException {
    int files = 0;
    for (Path file : closed(directory, names)) {
      int replicas = 0;
      for (LocatedBlock block : blocks(file)) {
        replicas += isWhole(block) ? corrupt(block) : 0;
      }
      files += replicas > 0 ? 1 : 0;
    }
    return files;
  }

  /** Returns how many replicas, of all data nodes but one. */
  private int corrupt(LocatedBlock block) throws ToolException, IOException {
    List<Daemon> nodes = bench.cluster().hdfs().dataNodes();
    for (Daemon node : nodes.subList(1, nodes.size())) {
      new Replicas(bench.cluster().hdfs().blocks(node)).corrupt(block.getBlock().getBlockId());
    }
    return nodes.size() - 1;
  }

  /** Files below a directory whose last block is finalized, so that a turned byte stays. */
  private List<Path> closed(Path directory, String names) throws IOException {
    String pattern = ".*" + names;
    List<Path> closed = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = bench.hdfs().listFiles(directory, true);
    while (all.hasNext()) {
      LocatedFileStatus file = all.next();
      boolean wanted = file.getPath().toUri().getPath().matches(pattern);
      if (wanted && file.getLen() > 0 && bench.hdfs().isFileClosed(file.getPath())) {
        closed.add(file.getPath());
      }
    }
    return closed;
  }

  private List<LocatedBlock> blocks(Path file) throws IOException {
    try {
      return bench
          .hdfs()
          .getClient()
          .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
          .getLocatedBlocks();
    } catch (FileNotFoundException e) {
      return List.of(); // a compaction has replaced it since
    }
  }
}
