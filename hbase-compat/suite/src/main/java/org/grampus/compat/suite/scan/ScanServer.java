package org.grampus.compat.suite.scan;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameInt64Pair;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingRpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;

/** A server with the table of scans, and what it answers to a scan. For one thread. */
final class ScanServer implements AutoCloseable {
  /** What a reply's line begins with when the server refused the scan. */
  static final String ERROR = "error ";

  private static final Duration START_MAX = Duration.ofMinutes(5);
  private static final int CALL_TIMEOUT_MILLIS = 120_000;
  private static final int REPLIES_MAX = 5_000;

  private final ServerProcess process;
  private Connection connection;
  private RpcClient rpcClient;
  private ClientService.BlockingInterface stub;
  private final Map<TableName, List<RegionInfo>> regions = new HashMap<>();

  ScanServer(ServerKind kind, Path directory) {
    process =
        new ServerProcess(
            kind,
            directory,
            Ports.free(),
            // Calls end for rows and bytes, not for time.
            Map.of(
                "hbase.rpc.timeout",
                String.valueOf(CALL_TIMEOUT_MILLIS),
                "hbase.client.scanner.timeout.period",
                String.valueOf(CALL_TIMEOUT_MILLIS),
                "hbase.client.keyvalue.maxsize",
                "0"));
  }

  void start() throws IOException {
    process.start();
  }

  /** Waits until the server serves, and makes the tables. */
  void load(long seed, int largestRow) throws IOException, InterruptedException {
    process.awaitServing(START_MAX);
    Configuration conf = process.clientConfiguration();
    connection = ConnectionFactory.createConnection(conf);
    for (TableName name : List.of(ScanTable.PLAIN, ScanTable.HIDING, ScanTable.MIXED)) {
      new ScanTable(name, seed, largestRow).create(connection);
      regions.put(name, regions(name));
    }
    rpcClient = RpcClientFactory.createClient(conf, "judge");
    try (RegionLocator locator = connection.getRegionLocator(ScanTable.PLAIN)) {
      BlockingRpcChannel channel =
          rpcClient.createBlockingRpcChannel(
              locator.getAllRegionLocations().get(0).getServerName(),
              User.getCurrent(),
              CALL_TIMEOUT_MILLIS);
      stub = ClientService.newBlockingStub(channel);
    }
  }

  private List<RegionInfo> regions(TableName name) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      return locator.getAllRegionLocations().stream().map(HRegionLocation::getRegion).toList();
    }
  }

  /** What the stock client makes of the scan: each result with its cells. */
  List<String> throughClient(TableName name, ScanCase scanCase) throws IOException {
    List<String> lines = new ArrayList<>();
    // Whether a row may have more cells depends on hidden ones, too.
    boolean sameFlags = !name.equals(ScanTable.HIDING) && scanCase.seesEveryCell();
    Scan scan = new Scan(scanCase.scan());
    if (scanCase.limitOfRows() > 0 && (sameFlags || scanCase.returnsWholeRows())) {
      scan.setLimit(scanCase.limitOfRows());
    }
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        lines.add(show(result, sameFlags && result.mayHaveMoreCellsInRow()));
      }
    } catch (IOException e) {
      lines.add(e.getClass().getName());
    }
    return lines;
  }

  /** The replies to the scan, call by call, region by region as long as a client would go on. */
  List<String> replies(TableName name, ScanCase scanCase) throws IOException {
    List<String> lines = new ArrayList<>();
    Scan scan = scanCase.scan();
    List<RegionInfo> all = regions.get(name);
    for (int i = 0; i < all.size(); i++) {
      RegionInfo region = all.get(scan.isReversed() ? all.size() - 1 - i : i);
      if (!isBehind(scan, region) && !scanRegion(scanCase, region, lines)) {
        break;
      }
      if (isLast(scan, region)) {
        break;
      }
    }
    return lines;
  }

  /** The scan's start lies behind the region. */
  private static boolean isBehind(Scan scan, RegionInfo region) {
    byte[] start = scan.getStartRow();
    if (start.length == 0) {
      return false;
    }
    if (scan.isReversed()) {
      return Bytes.compareTo(start, region.getStartKey()) < 0;
    }
    return region.getEndKey().length > 0 && Bytes.compareTo(start, region.getEndKey()) >= 0;
  }

  private static boolean isLast(Scan scan, RegionInfo region) {
    byte[] stop = scan.getStopRow();
    if (stop.length == 0) {
      return false;
    }
    if (scan.isReversed()) {
      return Bytes.compareTo(stop, region.getStartKey()) >= 0;
    }
    return region.getEndKey().length > 0 && Bytes.compareTo(stop, region.getEndKey()) < 0;
  }

  private static Scan from(Scan scan, RegionInfo region) throws IOException {
    byte[] start = scan.getStartRow();
    Scan part = new Scan(scan);
    if (scan.isReversed()) {
      byte[] end = region.getEndKey();
      if (end.length > 0 && (start.length == 0 || Bytes.compareTo(start, end) >= 0)) {
        part.withStartRow(end, false);
      }
    } else if (Bytes.compareTo(start, region.getStartKey()) < 0) {
      part.withStartRow(region.getStartKey(), true);
    }
    return part;
  }

  /** Scans one region; false when the scan is over. */
  private boolean scanRegion(ScanCase scanCase, RegionInfo region, List<String> lines)
      throws IOException {
    lines.add("region " + Bytes.toString(region.getStartKey()));
    ScanRequest request =
        request(scanCase)
            .setRegion(
                RequestConverter.buildRegionSpecifier(
                    org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier
                        .RegionSpecifierType.REGION_NAME,
                    region.getRegionName()))
            .setScan(ProtobufUtil.toScan(from(scanCase.scan(), region)))
            .build();
    for (int call = 1; call < REPLIES_MAX; call++) {
      HBaseRpcController controller = new HBaseRpcControllerImpl();
      controller.setCallTimeout(CALL_TIMEOUT_MILLIS);
      ScanResponse response;
      try {
        response = stub.scan(controller, request);
      } catch (ServiceException e) {
        IOException error = ProtobufUtil.handleRemoteException(e);
        lines.add(ERROR + error.getClass().getName());
        return false;
      }
      show(response, controller, scanCase.seesEveryCell(), lines);
      if (!response.getMoreResults() || !response.getMoreResultsInRegion()) {
        return response.getMoreResults();
      }
      request =
          request(scanCase).setScannerId(response.getScannerId()).setNextCallSeq(call).build();
    }
    throw new IOException("the scan does not end: " + scanCase);
  }

  private static ScanRequest.Builder request(ScanCase scanCase) {
    ScanRequest.Builder request =
        ScanRequest.newBuilder()
            .setNumberOfRows(scanCase.rowsPerCall())
            .setCloseScanner(false)
            .setClientHandlesPartials(scanCase.partials())
            .setClientHandlesHeartbeats(scanCase.heartbeats())
            .setTrackScanMetrics(true)
            .setNextCallSeq(0);
    return scanCase.limitOfRows() > 0 ? request.setLimitOfRows(scanCase.limitOfRows()) : request;
  }

  private static void show(
      ScanResponse response, HBaseRpcController controller, boolean exact, List<String> lines)
      throws IOException {
    Result[] results = ResponseConverter.getResults(controller.cellScanner(), response);
    for (Result result : results == null ? new Result[0] : results) {
      lines.add("  " + show(result, exact && result.mayHaveMoreCellsInRow()));
    }
    if (!exact) {
      return;
    }
    StringBuilder end = new StringBuilder("reply");
    end.append(response.getMoreResults() ? " more" : " end");
    end.append(response.getMoreResultsInRegion() ? " more-in-region" : " end-of-region");
    end.append(response.getHeartbeatMessage() ? " heartbeat" : "");
    end.append(response.hasMvccReadPoint() ? " read-point" : "");
    for (NameInt64Pair metric : response.getScanMetrics().getMetricsList()) {
      if (metric.getName().startsWith("ROWS_")) {
        end.append(' ').append(metric.getName()).append('=').append(metric.getValue());
      }
    }
    lines.add(end.toString());
  }

  private static String show(Result result, boolean partial) {
    StringBuilder line = new StringBuilder();
    line.append(Bytes.toString(result.getRow())).append(partial ? " partial" : "");
    for (Cell cell : result.rawCells()) {
      line.append(' ')
          .append(Bytes.toString(CellUtil.cloneFamily(cell)))
          .append(':')
          .append(Bytes.toString(CellUtil.cloneQualifier(cell)))
          .append('@')
          .append(cell.getTimestamp())
          .append(cell.getType() == Cell.Type.Put ? "" : cell.getType().name())
          .append('=');
      int length = cell.getValueLength();
      byte[] value = CellUtil.cloneValue(cell);
      line.append(
          length < 100 ? Bytes.toStringBinary(value) : length + "#" + Bytes.hashCode(value));
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    try {
      if (rpcClient != null) {
        rpcClient.close();
      }
      if (connection != null) {
        connection.close();
      }
    } finally {
      kill();
    }
  }

  private void kill() {
    try {
      process.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
