package org.grampus.server.region;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.server.env.Env;

/**
 * The regions that are online here, those being opened, and where regions went in the last two
 * minutes. All methods may be called from any thread; a lookup takes no lock.
 */
public final class RegionRegistry {
  /** How long a move is remembered, as in HBase. */
  static final long MOVED_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final Supplier<ServerName> self;
  private final LongSupplier nanoClock;
  private final ConcurrentHashMap<ByteString, OnlineRegion> byName = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, OnlineRegion> byEncodedName = new ConcurrentHashMap<>();
  private final Set<String> opening = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<String, Move> moves = new ConcurrentHashMap<>();

  private final RequestCounters totals = new RequestCounters();

  private record Move(ServerName to, long seqNum, long expiryNanos) {}

  /** A registry for the server of this name, which error texts cite. */
  public RegionRegistry(Supplier<ServerName> self) {
    this(self, Env::nanos);
  }

  RegionRegistry(Supplier<ServerName> self, LongSupplier nanoClock) {
    this.self = self;
    this.nanoClock = nanoClock;
  }

  /** Puts a region online; ends its opening and forgets an earlier move. */
  public void add(OnlineRegion region) {
    String encoded = region.encodedName();
    moves.remove(encoded);
    region.counters().countInto(totals);
    byEncodedName.put(encoded, region);
    byName.put(region.name(), region);
    opening.remove(encoded);
  }

  /** Takes a region offline, or ends an opening that failed; returns the region or null. */
  public OnlineRegion remove(String encodedName) {
    opening.remove(encodedName);
    OnlineRegion region = byEncodedName.remove(encodedName);
    if (region != null) {
      byName.remove(region.name(), region);
    }
    return region;
  }

  /** Notes that a region is being opened; false when it is already opening or online. */
  public boolean opening(String encodedName) {
    return !byEncodedName.containsKey(encodedName) && opening.add(encodedName);
  }

  /** Whether a region is being opened. */
  public boolean isOpening(String encodedName) {
    return opening.contains(encodedName);
  }

  /** Notes where a region went when it was closed here. */
  public void moved(String encodedName, ServerName to, long seqNum) {
    long now = nanoClock.getAsLong();
    moves.values().removeIf(move -> move.expiryNanos - now <= 0);
    if (!to.equals(self.get())) {
      moves.put(encodedName, new Move(to, seqNum, now + MOVED_NANOS));
    }
  }

  /** All regions online, in no order. */
  public Collection<OnlineRegion> all() {
    return new ArrayList<>(byEncodedName.values());
  }

  /** The regions of a table that are online, in no order. */
  public List<OnlineRegion> ofTable(TableName table) {
    return byEncodedName.values().stream()
        .filter(region -> region.info().getTable().equals(table))
        .toList();
  }

  /** Requests answered for all regions that are or were online here. */
  public RequestCounters totals() {
    return totals;
  }

  /** Number of regions online. */
  public int size() {
    return byEncodedName.size();
  }

  /** The region of this encoded name, or null when it is not online. */
  public OnlineRegion find(String encodedName) {
    return byEncodedName.get(encodedName);
  }

  /** Whether this very region object is still the one online. */
  public boolean isOnline(OnlineRegion region) {
    return byEncodedName.get(region.encodedName()) == region;
  }

  /**
   * The region that a request names.
   *
   * @throws NotServingRegionException or its subclasses RegionMovedException and
   *     RegionOpeningException, with the texts that clients parse
   */
  public OnlineRegion lookup(RegionSpecifier specifier) throws IOException {
    ByteString value = specifier.getValue();
    if (specifier.getType() == RegionSpecifierType.REGION_NAME) {
      OnlineRegion region = byName.get(value);
      return region != null ? region : lookupByEncodedName(encodedName(value), value.toByteArray());
    }
    return lookupByEncodedName(value.toStringUtf8(), null);
  }

  private OnlineRegion lookupByEncodedName(String encodedName, byte[] regionName)
      throws IOException {
    OnlineRegion region = byEncodedName.get(encodedName);
    if (region != null) {
      return region;
    }
    throw absence(encodedName, regionName);
  }

  private IOException absence(String encodedName, byte[] regionName) {
    Move move = moves.get(encodedName);
    if (move != null && move.expiryNanos - nanoClock.getAsLong() > 0) {
      return new RegionMovedException(move.to, move.seqNum);
    }
    String shown = regionName == null ? encodedName : Bytes.toStringBinary(regionName);
    if (opening.contains(encodedName)) {
      return new RegionOpeningException("Region " + shown + " is opening on " + self.get());
    }
    return new NotServingRegionException(shown + " is not online on " + self.get());
  }

  /** A name that only looks as if an encoded name ended it is the name of no region. */
  private static String encodedName(ByteString regionName) {
    int size = regionName.size();
    boolean dotted = size > 0 && regionName.byteAt(size - 1) == RegionInfo.ENC_SEPARATOR;
    return dotted && size < RegionInfo.MD5_HEX_LENGTH + 2
        ? regionName.toStringUtf8()
        : RegionInfo.encodeRegionName(regionName.toByteArray());
  }
}
