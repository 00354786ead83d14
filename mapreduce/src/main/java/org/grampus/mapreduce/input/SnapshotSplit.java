package org.grampus.mapreduce.input;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.InputSplit;
import org.grampus.mapreduce.snapshot.SnapshotRegion;

/**
 * Rows of a snapshot that one task reads, of both APIs. It has all that the task needs, lists of
 * files included, so that tasks do not read the manifest.
 */
public final class SnapshotSplit extends InputSplit
    implements org.apache.hadoop.mapred.InputSplit, Writable {
  /** Rows of one region. */
  public record RegionRows(SnapshotRegion region, KeyRange range) {}

  private TableDescriptor table;
  private long nowMillis;
  private long length;
  private List<RegionRows> parts = List.of();
  private List<Piece> pieces = List.of();
  private List<String> hosts = List.of();

  /** For the framework, which reads the rest. */
  public SnapshotSplit() {}

  /**
   * A planned split.
   *
   * @param nowMillis the clock of times to live, in ms since 1970, the same for all splits of a job
   * @param regions what the plan was made of
   */
  SnapshotSplit(
      TableDescriptor table,
      long nowMillis,
      PlannedSplit planned,
      List<SnapshotRegion> regions,
      List<String> hosts) {
    this.table = table;
    this.nowMillis = nowMillis;
    this.length = planned.length();
    this.parts =
        planned.parts().stream()
            .map(part -> new RegionRows(regions.get(part.region()), part.range()))
            .toList();
    this.pieces = planned.pieces();
    this.hosts = hosts;
  }

  /** The table's descriptor as of the snapshot. */
  public TableDescriptor table() {
    return table;
  }

  /** The time by which times to live are over, the same for all splits of a job. */
  public long nowMillis() {
    return nowMillis;
  }

  /** Ascending, at least one. */
  public List<RegionRows> parts() {
    return parts;
  }

  /** Where the bytes of its rows are. */
  public List<Piece> pieces() {
    return pieces;
  }

  /** The rows from the first part's start to the last part's end. */
  public KeyRange range() {
    return KeyRange.of(parts.get(0).range().start(), parts.get(parts.size() - 1).range().end());
  }

  /** About how many bytes of files there are to read; never 0. */
  @Override
  public long getLength() {
    return length;
  }

  @Override
  public String[] getLocations() {
    return hosts.toArray(new String[0]);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    Bytes.writeByteArray(out, TableDescriptorBuilder.toByteArray(table));
    WritableUtils.writeVLong(out, nowMillis);
    WritableUtils.writeVLong(out, length);
    WritableUtils.writeVInt(out, parts.size());
    for (RegionRows part : parts) {
      Bytes.writeByteArray(out, part.region().toBytes());
      Bytes.writeByteArray(out, part.range().start());
      Bytes.writeByteArray(out, part.range().end());
    }
    PieceCodec.write(out, pieces);
    WritableUtils.writeStringArray(out, getLocations());
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    try {
      table = TableDescriptorBuilder.parseFrom(Bytes.readByteArray(in));
    } catch (DeserializationException e) {
      throw new IOException("a split has no table's descriptor", e);
    }
    nowMillis = WritableUtils.readVLong(in);
    length = WritableUtils.readVLong(in);
    int count = WritableUtils.readVInt(in);
    List<RegionRows> read = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SnapshotRegion region = SnapshotRegion.parse(Bytes.readByteArray(in));
      byte[] start = Bytes.readByteArray(in);
      read.add(new RegionRows(region, KeyRange.of(start, Bytes.readByteArray(in))));
    }
    parts = read;
    pieces = PieceCodec.read(in);
    hosts = List.of(WritableUtils.readStringArray(in));
  }

  @Override
  public String toString() {
    return table.getTableName() + " " + range() + ", about " + length + " bytes";
  }
}
