package org.grampus.perf.echo;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/** A connection to an echo on loopback, with one call at a time. For one thread. */
public final class EchoConnection implements Closeable {
  private final byte[] request = EchoFrames.frame(EchoFrames.REQUEST_BYTES);
  private final byte[] reply = EchoFrames.frame(EchoFrames.REPLY_BYTES);
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  private EchoConnection(Socket socket) throws IOException {
    this.socket = socket;
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  /**
   * Connects.
   *
   * @param port the echo's
   */
  public static EchoConnection open(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    return new EchoConnection(socket);
  }

  /** Fails each call whose reply takes longer than this, in milliseconds. */
  public EchoConnection within(int millis) throws IOException {
    socket.setSoTimeout(millis);
    return this;
  }

  /**
   * Sends a request and takes its reply.
   *
   * @throws IOException when it does not come, or is none of an echo
   */
  public void call() throws IOException {
    out.write(request);
    if (in.readNBytes(reply, 0, reply.length) < reply.length
        || EchoFrames.length(reply) != EchoFrames.REPLY_BYTES) {
      throw new IOException("the echo has not answered as it does");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
