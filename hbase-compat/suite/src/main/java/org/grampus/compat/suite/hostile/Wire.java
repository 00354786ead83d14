package org.grampus.compat.suite.hostile;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** A socket to the server over which any bytes may go. One thread. */
final class Wire implements AutoCloseable {
  private static final int CONNECT_MILLIS = 5_000;
  private static final int READ_MILLIS = 10_000;
  private static final int SKIP_BYTES = 64 << 10;

  private final Socket socket = new Socket();
  private final DataOutputStream out;
  private final DataInputStream in;
  private int nextCallId;

  Wire(InetAddress from, InetAddress host, int port) throws IOException {
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      Traffic.CONNECTIONS.increment();
      socket.setSoTimeout(READ_MILLIS);
      out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
      in = new DataInputStream(socket.getInputStream());
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Preamble and connection header. */
  Wire hello(String service, String codec, String compressor) throws IOException {
    ConnectionHeader.Builder header =
        ConnectionHeader.newBuilder()
            .setUserInfo(UserInformation.newBuilder().setEffectiveUser("mallory"))
            .setServiceName(service);
    if (codec != null) {
      header.setCellBlockCodecClass(codec);
    }
    if (compressor != null) {
      header.setCellBlockCompressorClass(compressor);
    }
    byte[] bytes = header.build().toByteArray();
    text("HBas\0P");
    out.writeInt(bytes.length);
    out.write(bytes);
    out.flush();
    return this;
  }

  void text(String ascii) throws IOException {
    out.write(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  void bytes(byte[] bytes, int length) throws IOException {
    out.write(bytes, 0, length);
    Traffic.SENT.add(length);
  }

  void number(int value) throws IOException {
    out.writeInt(value);
  }

  void flush() throws IOException {
    out.flush();
  }

  /** A request, as it goes behind its length. */
  byte[] request(String method, byte[] param, byte[] cells) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream(param.length + cells.length + 100);
    RequestHeader.Builder header =
        RequestHeader.newBuilder()
            .setCallId(nextCallId++)
            .setMethodName(method)
            .setRequestParam(true);
    if (cells.length > 0) {
      header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cells.length));
    }
    header.build().writeDelimitedTo(body);
    int length = param.length;
    for (; length > 0x7f; length >>>= 7) {
      body.write((length & 0x7f) | 0x80);
    }
    body.write(length);
    body.write(param);
    body.write(cells);
    return body.toByteArray();
  }

  /** Sends a request and does not wait. */
  void send(String method, byte[] param, byte[] cells) throws IOException {
    byte[] request = request(method, param, cells);
    out.writeInt(request.length);
    out.write(request);
    out.flush();
    Traffic.SENT.add(request.length);
  }

  void send(String method, Message param) throws IOException {
    send(method, param.toByteArray(), new byte[0]);
  }

  /** Reads one reply and forgets it; returns its size. */
  int skipReply() throws IOException {
    int length = in.readInt();
    byte[] sink = new byte[SKIP_BYTES];
    for (int left = length; left > 0; ) {
      int read = in.read(sink, 0, Math.min(left, sink.length));
      if (read < 0) {
        throw new IOException("the server has ended the connection");
      }
      left -= read;
    }
    Traffic.RECEIVED.add(length);
    Traffic.REPLIES.increment();
    return length;
  }

  @Override
  public void close() {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      return; // it is of no more use either way
    }
  }
}
