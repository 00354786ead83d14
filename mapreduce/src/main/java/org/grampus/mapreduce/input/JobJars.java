package org.grampus.mapreduce.input;

import com.google.gson.Gson;
import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.grampus.compat.protocol.CellCursor;
import org.grampus.compat.read.ScanAdapter;
import org.grampus.engine.NativeFrozenRegion;
import org.jcodings.Encoding;
import org.joni.Regex;

/** The jars that tasks on a cluster need for these formats, the engine's library included. */
public final class JobJars {
  private JobJars() {}

  /** Adds them, and HBase's own, to those that the framework ships with a job. */
  public static void add(Configuration job) throws IOException {
    TableMapReduceUtil.addHBaseDependencyJars(job);
    TableMapReduceUtil.addDependencyJarsForClasses(
        job,
        JobJars.class,
        NativeFrozenRegion.class,
        ScanAdapter.class,
        CellCursor.class,
        SnapshotManifest.class,
        Gson.class,
        ByteBuf.class,
        ReferenceCounted.class,
        Regex.class,
        Encoding.class);
  }
}
