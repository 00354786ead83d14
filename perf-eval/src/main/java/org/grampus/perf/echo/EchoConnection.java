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
   * Connects, for calls that wait for their replies without end.
   *
   * @param port the echo's
   */
  public static EchoConnection open(int port) throws IOException {
    return open(port, 0);
  }

  /**
   * Connects.
   *
   * @param port the echo's
   * @param millis a call fails whose reply takes longer, 0 for no end
   */
  public static EchoConnection open(int port, int millis) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(millis);
      return new EchoConnection(socket);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
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
