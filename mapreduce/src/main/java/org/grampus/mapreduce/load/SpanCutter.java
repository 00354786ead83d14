package org.grampus.mapreduce.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.FamilyDescription;
import org.grampus.mapreduce.files.FreshName;
import org.grampus.mapreduce.snapshot.HadoopFiles;

/**
 * Cuts files that have rows of several regions, one file for each. HBase's tool would read them as
 * HFiles, which have cells where column files have none.
 */
final class SpanCutter {
  private final FileSystem fs;
  private final Map<byte[], FamilyDescription> families;
  private final List<byte[]> startKeys;

  /**
   * Cuts at regions' borders.
   *
   * @param startKeys the first row of each region, in order
   */
  SpanCutter(FileSystem fs, TableDescriptor table, Configuration conf, byte[][] startKeys) {
    this.fs = fs;
    this.families = LoadedTable.families(table, conf);
    this.startKeys = List.of(startKeys);
  }

  /** Whether a file has rows of one region only. */
  boolean fits(FileRange file) {
    return region(file.first()) == region(file.last());
  }

  /** The first row of the region that has a file's first row. */
  byte[] startKey(FileRange file) {
    return startKeys.get(region(file.first()));
  }

  /**
   * Cuts a file. When this returns its pieces are in its place; after an error it is still there.
   *
   * @return the number of pieces
   */
  int cut(FileRange file) throws IOException {
    FamilyDescription family = families.get(Bytes.toBytes(file.family()));
    if (family == null) {
      throw new IOException("the table has no family " + file.family() + " as of " + file.path());
    }
    deletePieces(file); // of a loader that was killed
    try {
      List<Path> pieces = new ArrayList<>();
      for (int region = region(file.first()); region <= region(file.last()); region++) {
        Path piece = new Path(file.path().getParent(), hiddenPrefix(file) + newName());
        if (write(file, family, piece, region)) {
          pieces.add(piece);
        }
      }
      // A crash in between leaves both: loaded twice a cell is the same cell, and none is missing.
      for (Path piece : pieces) {
        rename(piece, new Path(piece.getParent(), newName()));
      }
      fs.delete(file.path(), false);
      return pieces.size();
    } finally {
      deletePieces(file); // none, unless it has failed
    }
  }

  private void deletePieces(FileRange file) throws IOException {
    for (FileStatus found : fs.listStatus(file.path().getParent())) {
      if (found.getPath().getName().startsWith(hiddenPrefix(file))) {
        fs.delete(found.getPath(), false);
      }
    }
  }

  private boolean write(FileRange file, FamilyDescription family, Path piece, int region)
      throws IOException {
    byte[] end =
        region + 1 < startKeys.size() ? startKeys.get(region + 1) : HConstants.EMPTY_BYTE_ARRAY;
    try (ColumnFile out = ColumnFile.create(fs, piece, family)) {
      out.appendRows(file.path().toString(), HadoopFiles.of(fs), startKeys.get(region), end);
      if (out.finish().rows() > 0) {
        return true;
      }
    }
    fs.delete(piece, false);
    return false;
  }

  /** Begins the names of a file's pieces until all are written; no loader takes such names. */
  private static String hiddenPrefix(FileRange file) {
    return "_" + file.path().getName() + ".cut-";
  }

  private static String newName() {
    return FreshName.next();
  }

  private void rename(Path from, Path to) throws IOException {
    if (!fs.rename(from, to)) {
      throw new IOException("cannot rename " + from + " to " + to);
    }
  }

  /** The region that has a row: the last one that begins at or before it. */
  private int region(byte[] row) {
    int region = 0;
    while (region + 1 < startKeys.size() && Bytes.compareTo(startKeys.get(region + 1), row) <= 0) {
      region++;
    }
    return region;
  }
}
