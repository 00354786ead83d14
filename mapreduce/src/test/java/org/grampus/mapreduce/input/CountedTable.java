package org.grampus.mapreduce.input;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of many regions on several servers, which counts the calls of a plan. One thread. */
final class CountedTable {
  private static final int REGION_MB = 100;

  private final TableName name;
  private final Configuration conf;
  private final List<HRegionLocation> regions = new ArrayList<>();
  private final List<HRegionLocation> listed;
  private final Map<String, Integer> calls = new TreeMap<>();

  /** So many regions of decimal keys; server n has each region whose number is n modulo servers. */
  CountedTable(Configuration conf, TableName name, int count, int servers) {
    this(conf, name, count, region -> ServerName.valueOf("host" + region % servers, 16020, 1));
  }

  /** Regions of decimal keys, each on the server that the function says. */
  CountedTable(Configuration conf, TableName name, int count, IntFunction<ServerName> servers) {
    this.conf = conf;
    this.name = name;
    for (int i = 0; i < count; i++) {
      RegionInfo region =
          RegionInfoBuilder.newBuilder(name)
              .setRegionId(1)
              .setStartKey(i == 0 ? new byte[0] : key(i))
              .setEndKey(i == count - 1 ? new byte[0] : key(i + 1))
              .build();
      regions.add(new HRegionLocation(region, servers.apply(i)));
    }
    listed = new ArrayList<>(regions);
  }

  /** A region that is being opened, which is found when its location is asked for once more. */
  CountedTable opening(int region) {
    listed.set(region, new HRegionLocation(regions.get(region).getRegion(), null));
    return this;
  }

  /** A region that is being opened, and is split when its location is asked for once more. */
  CountedTable splitWhileOpening(int region) {
    opening(region);
    HRegionLocation whole = regions.get(region);
    byte[] start = whole.getRegion().getStartKey();
    RegionInfo half =
        RegionInfoBuilder.newBuilder(name)
            .setRegionId(2)
            .setStartKey(start)
            .setEndKey(Bytes.add(start, Bytes.toBytes("5")))
            .build();
    regions.set(region, new HRegionLocation(half, whole.getServerName()));
    return this;
  }

  /** A replica that is missing in meta. */
  CountedTable missingReplica() {
    listed.add(null);
    return this;
  }

  private static byte[] key(int region) {
    return Bytes.toBytes(String.format("%05d", region));
  }

  /** How often each method was called, by its name. */
  Map<String, Integer> calls() {
    return calls;
  }

  /** A connection that knows this table alone. */
  Connection connection() {
    return proxy(
        Connection.class,
        (proxy, method, args) ->
            switch (method.getName()) {
              case "getTable" -> proxy(Table.class, this::ofTable);
              case "getRegionLocator" -> proxy(RegionLocator.class, this::ofLocator);
              case "getAdmin" -> proxy(Admin.class, this::ofAdmin);
              case "close" -> {
                calls.merge("close connection", 1, Integer::sum);
                yield null;
              }
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    ClassLoader loader = CountedTable.class.getClassLoader();
    return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler));
  }

  private Object ofTable(Object proxy, java.lang.reflect.Method method, Object[] args) {
    return switch (method.getName()) {
      case "getName" -> name;
      case "close" -> null;
      default -> throw new UnsupportedOperationException(counted(method).toString());
    };
  }

  private java.lang.reflect.Method counted(java.lang.reflect.Method method) {
    calls.merge(method.getName(), 1, Integer::sum);
    return method;
  }

  private Object ofLocator(Object proxy, java.lang.reflect.Method method, Object[] args) {
    return switch (method.getName()) {
      case "getName" -> name;
      case "close" -> null;
      case "getAllRegionLocations" -> counted(method) == null ? null : listed;
      case "getRegionLocation" -> {
        boolean reload = args.length > 1 && (Boolean) args[args.length - 1];
        calls.merge(reload ? "reload" : "cached location", 1, Integer::sum);
        yield location((byte[]) args[0]);
      }
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }

  private HRegionLocation location(byte[] start) {
    int digits = key(0).length;
    return regions.get(start.length == 0 ? 0 : Integer.parseInt(Bytes.toString(start, 0, digits)));
  }

  private Object ofAdmin(Object proxy, java.lang.reflect.Method method, Object[] args) {
    return switch (method.getName()) {
      case "getConfiguration" -> conf;
      case "close" -> null;
      case "getRegionMetrics" -> counted(method) == null ? null : metrics((ServerName) args[0]);
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }

  private List<RegionMetrics> metrics(ServerName server) {
    return regions.stream()
        .filter(at -> at.getServerName().equals(server))
        .map(at -> metrics(at.getRegion().getRegionName()))
        .toList();
  }

  private static RegionMetrics metrics(byte[] region) {
    Size size = new Size(REGION_MB, Size.Unit.MEGABYTE);
    Size none = new Size(0, Size.Unit.MEGABYTE);
    return proxy(
        RegionMetrics.class,
        (proxy, method, args) ->
            switch (method.getName()) {
              case "getRegionName" -> region;
              case "getStoreFileSize" -> size;
              case "getMemStoreSize" -> none;
              case "getNameAsString" -> Bytes.toStringBinary(region);
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }
}
