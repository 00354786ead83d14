package org.grampus.server.testkit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.VersionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** A client that says on the wire exactly what a test wants, such as what gohbase would. */
public final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final DataOutputStream out;
  private final DataInputStream in;
  private int nextCallId = 1;

  /** What came back for one call. */
  public record Reply<M>(ResponseHeader header, M message, byte[] cells) {}

  /**
   * A connection after its header.
   *
   * @param codec class name, or empty for none
   * @param version such as 1.4, or null to name none
   */
  public RawClient(int port, String codec, String version) throws IOException {
    this(port, "ClientService", codec, version);
  }

  /** A connection to a service, after its header; the rest as above. */
  public RawClient(int port, String service, String codec, String version) throws IOException {
    this(port, service, codec, version, "");
  }

  /**
   * A connection to a service, after its header; the rest as above.
   *
   * @param compressor class name of what compresses cell blocks, or empty for none
   */
  public RawClient(int port, String service, String codec, String version, String compressor)
      throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    out = new DataOutputStream(socket.getOutputStream());
    in = new DataInputStream(socket.getInputStream());
    ConnectionHeader.Builder header =
        ConnectionHeader.newBuilder()
            .setUserInfo(UserInformation.newBuilder().setEffectiveUser("root"))
            .setServiceName(service);
    if (!codec.isEmpty()) {
      header.setCellBlockCodecClass(codec);
    }
    if (!compressor.isEmpty()) {
      header.setCellBlockCompressorClass(compressor);
    }
    if (version != null) {
      header.setVersionInfo(
          VersionInfo.newBuilder()
              .setVersion(version)
              .setUrl("")
              .setRevision("")
              .setUser("")
              .setDate("")
              .setSrcChecksum(""));
    }
    byte[] bytes = header.build().toByteArray();
    out.write("HBas\0P".getBytes(StandardCharsets.US_ASCII));
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Sends a call and waits for its reply. */
  public <M extends Message> Reply<M> call(String method, Message param, byte[] cells, M prototype)
      throws IOException {
    int callId = send(method, param, cells);
    Reply<M> reply = read(prototype);
    if (reply.header.getCallId() != callId) {
      throw new IOException("reply to call " + reply.header.getCallId() + ", not " + callId);
    }
    return reply;
  }

  /** Sends a call, waits for nothing and returns the call's id. */
  public int send(String method, Message param, byte[] cells) throws IOException {
    int callId = nextCallId++;
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    RequestHeader.Builder header =
        RequestHeader.newBuilder().setCallId(callId).setMethodName(method).setRequestParam(true);
    if (cells.length > 0) {
      header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cells.length));
    }
    header.build().writeDelimitedTo(body);
    param.writeDelimitedTo(body);
    body.write(cells);
    out.writeInt(body.size());
    out.write(body.toByteArray());
    return callId;
  }

  private <M extends Message> Reply<M> read(M prototype) throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    ByteArrayInputStream bytes = new ByteArrayInputStream(frame);
    ResponseHeader header = ResponseHeader.parseDelimitedFrom(bytes);
    M message = null;
    if (!header.hasException()) {
      @SuppressWarnings("unchecked")
      M parsed = (M) prototype.getParserForType().parseDelimitedFrom(bytes);
      message = parsed;
    }
    byte[] cells = bytes.readAllBytes();
    if (cells.length != header.getCellBlockMeta().getLength()) {
      throw new IOException("cell block of " + cells.length + " bytes");
    }
    return new Reply<>(header, message, cells);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
