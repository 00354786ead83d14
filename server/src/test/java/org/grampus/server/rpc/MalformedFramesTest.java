package org.grampus.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.junit.jupiter.api.Test;

/**
 * Damaged and random connections beside a client that works: they must end or be answered, never
 * take the server down nor touch the neighbour's calls.
 */
class MalformedFramesTest {
  private static final int ROUNDS = 1_500;
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  private final long seed = Long.getLong("grampus.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final AtomicBoolean done = new AtomicBoolean();
  private volatile Throwable neighbourFailure;
  private volatile int neighbourCalls;

  @Test
  void serverAndNeighboursSurvive() throws Exception {
    System.out.println("seed " + seed + " (-Dgrampus.test.seed)");
    long buffersBefore = PooledMemory.buffersInUse();
    Configuration conf = new Configuration(false);
    conf.setInt("hbase.ipc.max.request.size", 1 << 20);
    try (LocalCluster cluster = new LocalCluster(conf)) {
      cluster.addRegion("", "");
      Thread neighbour = new Thread(() -> useTable(cluster.clientConfiguration()));
      neighbour.start();
      List<byte[]> frames = goodFrames(cluster);
      for (int round = 0; round < ROUNDS; round++) {
        attack(cluster.server().port(), frames);
      }
      int before = neighbourCalls;
      while (neighbourCalls <= before + 10 && neighbour.isAlive()) {
        Thread.onSpinWait();
      }
      done.set(true);
      neighbour.join();
      assertNull(neighbourFailure, () -> "seed " + seed + ": " + neighbourFailure);
      assertTrue(neighbourCalls > before, "the neighbour stopped");
      long end = System.nanoTime() + 10_000_000_000L;
      while (cluster.server().connectionCount() > 0 && System.nanoTime() - end < 0) {
        Thread.onSpinWait();
      }
      assertEquals(0, cluster.server().connectionCount());
      assertEquals(0, cluster.server().dispatcher().bytesInFlight());
    }
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private void useTable(Configuration conf) {
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Table table = connection.getTable(LocalCluster.TABLE)) {
      for (int i = 0; !done.get(); i++) {
        byte[] row = Bytes.toBytes("good" + i % 50);
        table.put(new Put(row).addColumn(F, Q, Bytes.toBytes(i)));
        assertEquals(i, Bytes.toInt(table.get(new Get(row)).getValue(F, Q)));
        neighbourCalls = i;
      }
    } catch (Throwable t) {
      neighbourFailure = t;
    }
  }

  private List<byte[]> goodFrames(LocalCluster cluster) throws IOException {
    OnlineRegion region =
        cluster.regions().all().stream().filter(r -> !r.isSystem()).findFirst().orElseThrow();
    byte[] name = region.info().getRegionName();
    Put put = new Put(Bytes.toBytes("evil")).addColumn(Bytes.toBytes("g"), Q, new byte[200]);
    List<byte[]> frames = new ArrayList<>();
    frames.add(
        frame("Get", RequestConverter.buildGetRequest(name, new Get(Bytes.toBytes("a"))), null));
    frames.add(frame("Mutate", RequestConverter.buildMutateRequest(name, put), null));
    frames.add(frame("Scan", RequestConverter.buildScanRequest(name, new Scan(), 100, true), null));
    frames.add(frame("Multi", multi(name), cells(put)));
    return frames;
  }

  private static Message multi(byte[] region) {
    ClientProtos.MutationProto mutation =
        ClientProtos.MutationProto.newBuilder()
            .setRow(ByteString.copyFromUtf8("evil"))
            .setMutateType(ClientProtos.MutationProto.MutationType.PUT)
            .setAssociatedCellCount(1)
            .build();
    return ClientProtos.MultiRequest.newBuilder()
        .addRegionAction(
            ClientProtos.RegionAction.newBuilder()
                .setRegion(
                    RegionSpecifier.newBuilder()
                        .setType(RegionSpecifierType.REGION_NAME)
                        .setValue(ByteString.copyFrom(region)))
                .addAction(ClientProtos.Action.newBuilder().setMutation(mutation)))
        .build();
  }

  private static byte[] cells(Put put) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Codec.Encoder encoder = new KeyValueCodec().getEncoder(out);
    for (Cell cell : put.getFamilyCellMap().firstEntry().getValue()) {
      encoder.write(cell);
    }
    encoder.flush();
    return out.toByteArray();
  }

  private static byte[] frame(String method, Message param, byte[] cells) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    RequestHeader.Builder header =
        RequestHeader.newBuilder().setCallId(1).setMethodName(method).setRequestParam(true);
    if (cells != null) {
      header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cells.length));
    }
    header.build().writeDelimitedTo(body);
    param.writeDelimitedTo(body);
    if (cells != null) {
      body.write(cells);
    }
    return lengthPrefixed(body.toByteArray());
  }

  private static byte[] lengthPrefixed(byte[] body) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    new DataOutputStream(frame).writeInt(body.length);
    frame.write(body);
    return frame.toByteArray();
  }

  private byte[] handshake() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write("HBas\0P".getBytes(StandardCharsets.US_ASCII));
    ConnectionHeader.Builder header =
        ConnectionHeader.newBuilder()
            .setUserInfo(UserInformation.newBuilder().setEffectiveUser("mallory"))
            .setServiceName("ClientService")
            .setCellBlockCodecClass(KeyValueCodec.class.getName());
    if (random.nextInt(4) == 0) {
      header.setCellBlockCompressorClass("org.apache.hadoop.io.compress.SnappyCodec");
    }
    out.write(lengthPrefixed(header.build().toByteArray()));
    return out.toByteArray();
  }

  /** One connection that sends a good handshake and then damaged frames, or only noise. */
  private void attack(int port, List<byte[]> frames) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (random.nextInt(10) == 0) {
      byte[] noise = new byte[random.nextInt(2000)];
      random.nextBytes(noise);
      bytes.write(noise);
    } else {
      byte[] handshake = handshake();
      bytes.write(random.nextInt(8) == 0 ? damage(handshake) : handshake);
      for (int i = random.nextInt(6); i >= 0; i--) {
        byte[] frame = frames.get(random.nextInt(frames.size()));
        bytes.write(random.nextInt(4) == 0 ? frame : damage(frame));
      }
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        OutputStream out = socket.getOutputStream()) {
      out.write(bytes.toByteArray());
      if (random.nextBoolean()) {
        socket.shutdownOutput();
        socket.setSoTimeout(2_000);
        readToEnd(socket);
      }
    } catch (SocketException e) {
      return; // the server has closed first, as it may
    }
  }

  private static void readToEnd(Socket socket) throws IOException {
    byte[] sink = new byte[8192];
    int read = 0;
    while (read >= 0) {
      try {
        read = socket.getInputStream().read(sink);
      } catch (SocketTimeoutException e) {
        return; // a frame that lacks bytes keeps the connection open, rightly
      }
    }
  }

  private byte[] damage(byte[] frame) {
    byte[] damaged = frame.clone();
    int from = random.nextInt(5) == 0 ? 0 : 4; // mostly keep the length, to get deeper
    for (int i = random.nextInt(4); i >= 0; i--) {
      damaged[from + random.nextInt(damaged.length - from)] = (byte) random.nextInt();
    }
    return damaged;
  }
}
