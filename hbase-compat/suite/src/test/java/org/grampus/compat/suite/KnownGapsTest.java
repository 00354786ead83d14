package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.BlockingRpcChannel;
import java.io.IOException;
import java.math.BigDecimal;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.codec.CellCodec;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos.AuthenticationService;
import org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos.WhoAmIRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryRequest;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What a stock client gets where Grampus refuses what HBase does. */
class KnownGapsTest extends CompatTest {
  /** A filter of an application: HBase loads its class, the engine has none. */
  public static final class OwnFilter extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }
  }

  /** A comparator of an application. */
  public static final class OwnComparator extends ByteArrayComparable {
    OwnComparator() {
      super(b("v"));
    }

    @Override
    public byte[] toByteArray() {
      return getValue();
    }

    @Override
    public int compareTo(byte[] value, int offset, int length) {
      return 0;
    }
  }

  @Test
  @KnownGap("Filters: any other class: DNR")
  void aFilterOfAnApplication() throws IOException {
    assertTrue(refusal(new OwnFilter()).contains("Unknown filter class"));
  }

  @Test
  @KnownGap({"Filters: BigDecimalComparator", "Filters: any other class"})
  void comparatorsThatTheEngineDoesNotHave() throws IOException {
    refusal(new ValueFilter(CompareOperator.EQUAL, new BigDecimalComparator(BigDecimal.ONE)));
    refusal(new ValueFilter(CompareOperator.EQUAL, new OwnComparator()));
  }

  /** What the server says of a scan with the filter; the same scan with a filter it has works. */
  private String refusal(Filter filter) throws IOException {
    Filter known = new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(b("v")));
    assertEquals("", rows(new Scan().setFilter(known)));
    try (ResultScanner scanner = table.getScanner(new Scan().setFilter(filter))) {
      return assertThrows(DoNotRetryIOException.class, scanner::next).getMessage();
    }
  }

  @Test
  @KnownGap("ClientService: ExecRegionServerService")
  void endpointsOfARegionServer() throws Exception {
    assertUnknown(whoAmI(admin.coprocessorService(server())));
  }

  @Test
  @KnownGap("Authentication and authorization: `AuthenticationService`")
  void endpointsOfSecurity() {
    assertUnknown(whoAmI(table.coprocessorService(b("r"))));
  }

  private static Executable whoAmI(BlockingRpcChannel channel) {
    return () ->
        AuthenticationService.newBlockingStub(channel)
            .whoAmI(null, WhoAmIRequest.getDefaultInstance());
  }

  private static void assertUnknown(Executable call) {
    assertFailsWith(UnknownProtocolException.class, call);
  }

  @Test
  @KnownGap({"AdminService: OpenRegion", "AdminService: ReplicateWALEntry"})
  void callsOfOldMastersAndOfReplication() throws Exception {
    AdminService.BlockingInterface service = ((ClusterConnection) connection).getAdmin(server());
    assertFailsWith(
        DoNotRetryIOException.class,
        () -> service.openRegion(null, OpenRegionRequest.getDefaultInstance()));
    assertFailsWith(
        DoNotRetryIOException.class,
        () -> service.replicateWALEntry(null, ReplicateWALEntryRequest.getDefaultInstance()));
  }

  private ServerName server() throws IOException {
    return admin.getRegionServers().iterator().next();
  }

  @Test
  @KnownGap({
    "ClientService: BulkLoadHFile of an HFile",
    "Tools: HFileOutputFormat2 with BulkLoadHFilesTool"
  })
  void filesOfABulkLoad(@TempDir java.nio.file.Path directory) throws Exception {
    Configuration settings = impatient();
    Path family = new Path(directory.toUri().toString(), "f");
    Path file = new Path(family, "0123456789abcdef0123456789abcdef");
    HFile.WriterFactory factory = HFile.getWriterFactory(settings, new CacheConfig(settings));
    try (HFile.Writer writer =
        factory
            .withPath(file.getFileSystem(settings), file)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      writer.append(new KeyValue(b("r"), F, Q, 1, b("v")));
    }
    BulkLoadHFiles loader = BulkLoadHFiles.create(settings);
    assertFailsWith(DoNotRetryIOException.class, () -> loader.bulkLoad(name, family.getParent()));
    assertEquals("", rows(new Scan()));
  }

  @Test
  @KnownGap({"Connections: codec: CellCodec", "Connections: compressor: zstd"})
  void codecsAndCompressorsThatTheServerDoesNotHave() throws Exception {
    assertNoConnection(HConstants.RPC_CODEC_CONF_KEY, CellCodec.class);
    assertNoConnection("hbase.client.rpc.compressor", BZip2Codec.class);
  }

  private void assertNoConnection(String key, Class<?> value) throws Exception {
    Configuration settings = impatient();
    try (Connection own = ConnectionFactory.createConnection(settings);
        Table same = own.getTable(name)) {
      assertTrue(same.get(new Get(b("r"))).isEmpty());
    }
    settings.set(key, value.getName());
    try (Connection refused = ConnectionFactory.createConnection(settings);
        Table same = refused.getTable(name)) {
      assertThrows(IOException.class, () -> same.get(new Get(b("r"))));
    }
  }

  private static Configuration impatient() throws Exception {
    Configuration settings = new Configuration(SharedServer.get().configuration());
    settings.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    settings.setInt(HConstants.BULKLOAD_MAX_RETRIES_NUMBER, 1);
    return settings;
  }

  /** The call fails, and the exception or one of its causes is of this class. */
  private static void assertFailsWith(Class<? extends Throwable> expected, Executable call) {
    Throwable error = assertThrows(Exception.class, call);
    StringBuilder seen = new StringBuilder();
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      // Errors that a protobuf service passes on bear the server's class in their text alone.
      if (expected.isInstance(cause)
          || String.valueOf(cause.getMessage()).contains(expected.getName())) {
        return;
      }
      seen.append(cause).append('\n');
    }
    throw new AssertionError("no " + expected.getName() + " in " + seen, error);
  }
}
