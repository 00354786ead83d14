package org.grampus.server.region;

import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.engine.EngineRegion;

/**
 * A region that this server serves. Immutable but for its counters, the sizes of its results and
 * the weights of its blocks; any thread.
 */
public final class OnlineRegion {
  private final RegionInfo info;
  private final TableDescriptor table;
  private final EngineRegion engine;
  private final long openSeqNum;
  private final List<byte[]> families;
  private final ByteString name;
  private final RegionDefaults defaults;
  private final long flushBytes;
  private final RequestCounters counters = new RequestCounters();
  private final ResultBytes resultBytes = new ResultBytes();
  private final ScanTries scanTries = new ScanTries();
  private volatile BlockWeights blockWeights;

  /** One on a server without settings. */
  public OnlineRegion(
      RegionInfo info, TableDescriptor table, EngineRegion engine, long openSeqNum) {
    this(info, table, engine, openSeqNum, RegionDefaults.HBASE);
  }

  /** A region that the engine has opened. */
  public OnlineRegion(
      RegionInfo info,
      TableDescriptor table,
      EngineRegion engine,
      long openSeqNum,
      RegionDefaults defaults) {
    this.defaults = defaults;
    this.info = info;
    this.table = table;
    this.engine = engine;
    this.openSeqNum = openSeqNum;
    this.flushBytes = RegionRequest.flushBytes(table);
    this.families = List.copyOf(table.getColumnFamilyNames());
    this.name = UnsafeByteOperations.unsafeWrap(info.getRegionName());
  }

  /** The region's identity and bounds. */
  public RegionInfo info() {
    return info;
  }

  /** The table's descriptor as of the open. */
  public TableDescriptor table() {
    return table;
  }

  /** The table's own flush size; 0 where the server's holds. */
  public long flushBytes() {
    return flushBytes;
  }

  /** What holds where a request says nothing. */
  public RegionDefaults defaults() {
    return defaults;
  }

  /** The region in the engine. */
  public EngineRegion engine() {
    return engine;
  }

  /** The sequence number that the open chose. */
  public long openSeqNum() {
    return openSeqNum;
  }

  /** Names of the column families in byte order. */
  public List<byte[]> families() {
    return families;
  }

  /** The full region name. */
  public ByteString name() {
    return name;
  }

  /** The encoded name (md5). */
  public String encodedName() {
    return info.getEncodedName();
  }

  /** Whether the region belongs to a table in the system namespace, meta included. */
  public boolean isSystem() {
    return info.getTable().isSystemTable();
  }

  /** Bytes of its files' blocks, and those on this host; null on local disks. */
  BlockWeights blockWeights() {
    return blockWeights;
  }

  /** What was found, see {@link BlockLocality}. */
  void blockWeights(BlockWeights found) {
    blockWeights = found;
  }

  /** Requests answered. */
  public RequestCounters counters() {
    return counters;
  }

  /** How large results of its scans are. */
  public ResultBytes resultBytes() {
    return resultBytes;
  }

  /** Whether its scans are tried on event loops. */
  public ScanTries scanTries() {
    return scanTries;
  }
}
