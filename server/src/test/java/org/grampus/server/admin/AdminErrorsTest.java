package org.grampus.server.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearRegionBlockCacheRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearRegionBlockCacheResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RollWALWriterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CacheEvictionStats;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionExceptionMessage;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.EngineException;
import org.grampus.engine.EngineRegion;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.NativeEngine;
import org.grampus.server.assignment.RegionSplitter;
import org.grampus.server.netty.RpcServer;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.rpc.BlockingServiceAdapter;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.ServiceRegistry;
import org.grampus.server.slowlog.SlowLog;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an administrator is answered with when the engine refuses, as it crosses the wire. */
class AdminErrorsTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final RegionInfo INFO = RegionInfoBuilder.newBuilder(NAME).build();
  private static final RegionSpecifier REGION =
      RegionSpecifier.newBuilder()
          .setType(RegionSpecifierType.ENCODED_REGION_NAME)
          .setValue(ByteString.copyFromUtf8(INFO.getEncodedName()))
          .build();

  private final ServerName self = ServerName.valueOf("host", 1, 2);
  private volatile ErrorKind kind;
  private NativeEngine engine;
  private RpcServer server;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    EngineRegion failing =
        (EngineRegion)
            Proxy.newProxyInstance(
                EngineRegion.class.getClassLoader(),
                new Class<?>[] {EngineRegion.class},
                (region, method, arguments) -> {
                  throw new EngineException(kind, "why");
                });
    RegionRegistry regions = new RegionRegistry(() -> self);
    regions.add(
        new OnlineRegion(
            INFO,
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build(),
            failing,
            1));
    Configuration conf = new Configuration(false);
    conf.set("hbase.defaults.for.version.skip", "true");
    conf.setInt("hbase.regionserver.port", 0);
    engine = NativeEngine.open(EngineConfig.DEFAULTS);
    AdminService admin =
        new AdminService(
            regions,
            null,
            new RegionSplitter(conf, regions, Map::of, null, () -> {}),
            null,
            engine,
            new SlowLog(conf),
            new ServerControl() {
              @Override
              public ServerName server() {
                return self;
              }

              @Override
              public void stop(String reason) {
                throw new AssertionError(reason);
              }
            });
    server =
        new RpcServer(
            RpcServerConfig.from(conf),
            new ServiceRegistry()
                .add(
                    new BlockingServiceAdapter(
                        AdminProtos.AdminService.newReflectiveBlockingService(admin))));
    server.start();
    client = new RawClient(server.port(), "AdminService", "", "2.6.1");
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
    engine.close();
  }

  private ExceptionResponse error(String method, Message request) throws IOException {
    return client.call(method, request, new byte[0], request).header().getException();
  }

  @ParameterizedTest
  @EnumSource
  void anEngineErrorKeepsItsClassAndSaysWhatWasNotDone(ErrorKind failure) throws IOException {
    kind = failure;
    Map<String, Message> calls =
        Map.of(
            "FlushRegion", FlushRegionRequest.newBuilder().setRegion(REGION).build(),
            "CompactRegion", CompactRegionRequest.newBuilder().setRegion(REGION).build(),
            "GetRegionInfo", GetRegionInfoRequest.newBuilder().setRegion(REGION).build());
    IOException expected = ErrorAdapter.adapt(failure, "why");
    for (Map.Entry<String, Message> call : calls.entrySet()) {
      ExceptionResponse error = error(call.getKey(), call.getValue());
      assertEquals(expected.getClass().getName(), error.getExceptionClassName(), call.getKey());
      assertEquals(expected instanceof DoNotRetryIOException, error.getDoNotRetry());
      assertTrue(error.getStackTrace().contains(INFO.getEncodedName() + ": why"), call.getKey());
    }
  }

  private ClearRegionBlockCacheResponse clearCaches(ClearRegionBlockCacheRequest.Builder request)
      throws IOException {
    return client
        .call(
            "ClearRegionBlockCache",
            request.build(),
            new byte[0],
            ClearRegionBlockCacheResponse.getDefaultInstance())
        .message();
  }

  @ParameterizedTest
  @EnumSource
  void aCacheThatCannotBeClearedIsNamedInTheAnswer(ErrorKind failure) throws IOException {
    kind = failure;
    ClearRegionBlockCacheResponse answer =
        clearCaches(ClearRegionBlockCacheRequest.newBuilder().addRegion(REGION));
    assertEquals(
        ErrorAdapter.adapt(failure, "why").getClass().getName(),
        answer.getStats().getException(0).getException().getName());
  }

  /** A few bytes name a region, and nothing bounds how many a request names. */
  @Test
  void regionsThatAreNotHereTakeLittleOfTheAnswer() throws IOException {
    int count = 1000;
    ClearRegionBlockCacheRequest.Builder request = ClearRegionBlockCacheRequest.newBuilder();
    for (int i = 0; i < count; i++) {
      request.addRegion(
          RegionSpecifier.newBuilder()
              .setType(RegionSpecifierType.REGION_NAME)
              .setValue(ByteString.copyFromUtf8("r" + i)));
    }
    CacheEvictionStats stats = clearCaches(request).getStats();
    assertEquals(
        request.getRegionList(),
        stats.getExceptionList().stream().map(RegionExceptionMessage::getRegion).toList());
    assertEquals(
        NotServingRegionException.class,
        ProtobufUtil.toException(stats.getException(0).getException()).getClass());
    assertTrue(stats.getSerializedSize() < 150 * count, stats.getSerializedSize() + " bytes");
  }

  @Test
  void anEngineThatIsClosedDoesNotServe() throws IOException {
    engine.close();
    assertEquals(
        NotServingRegionException.class.getName(),
        error("RollWALWriter", RollWALWriterRequest.getDefaultInstance()).getExceptionClassName());
  }
}
