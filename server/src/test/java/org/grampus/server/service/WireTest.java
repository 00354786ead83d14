package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server with one region, and a client whose requests a test writes itself. */
abstract class WireTest {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] Q = Bytes.toBytes("q");
  static final String KEY_VALUE_CODEC = KeyValueCodec.class.getName();

  LocalCluster cluster;
  InjectedRegion engine;
  RegionSpecifier region;
  RawClient client;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    cluster = new LocalCluster(new Configuration(false));
    engine = cluster.addRegion("", "");
    region = cluster.region("");
    connect(KEY_VALUE_CODEC, null);
  }

  final void connect(String codec, String version) throws IOException {
    if (client != null) {
      client.close();
    }
    client = new RawClient(cluster.server().port(), codec, version);
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    cluster.close();
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  final void load(String row) {
    engine.load(new KeyValue(Bytes.toBytes(row), F, Q, 5, Bytes.toBytes("v" + row)));
  }

  final <M extends Message> M call(String method, Message param, M prototype) throws IOException {
    RawClient.Reply<M> reply = client.call(method, param, new byte[0], prototype);
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    return reply.message();
  }

  final void assertFails(Class<?> type, String method, Message param, Message prototype)
      throws IOException {
    RawClient.Reply<?> reply = client.call(method, param, new byte[0], prototype);
    assertEquals(type.getName(), reply.header().getException().getExceptionClassName());
    assertTrue(reply.header().getException().getStackTrace().startsWith(type.getName()));
  }

  final GetRequest get(String row) throws IOException {
    return GetRequest.newBuilder()
        .setRegion(region)
        .setGet(ProtobufUtil.toGet(new Get(Bytes.toBytes(row))))
        .build();
  }
}
