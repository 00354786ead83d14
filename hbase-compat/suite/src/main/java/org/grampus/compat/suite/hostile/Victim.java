package org.grampus.compat.suite.hostile;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * What an attack knows: where the server is, which regions it has, and until when to go on.
 *
 * @param port the server's on loopback
 * @param small name of a region with many small rows
 * @param large name of a region with a row of many megabytes
 * @param wide name of a region with a row of a million columns
 * @param endNanos as {@link System#nanoTime}
 */
record Victim(int port, byte[] small, byte[] large, byte[] wide, long endNanos) {
  private static final long PAUSE_MILLIS = 50;
  private static final String CLIENTS = "ClientService";
  private static final String CODEC = "org.apache.hadoop.hbase.codec.KeyValueCodec";

  /** Pauses the attacking thread: this attack is on the memory of the server, not on its speed. */
  void pause() throws InterruptedException {
    Thread.sleep(PAUSE_MILLIS);
  }

  boolean isOver() {
    return System.nanoTime() - endNanos >= 0;
  }

  Victim until(long nanos) {
    return new Victim(port, small, large, wide, nanos);
  }

  /** A connection from an address of its own, 127.0.1.n, before its preamble. */
  Wire open(int address) throws IOException {
    return new Wire(
        InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) address}),
        InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
        port);
  }

  /** A connection after its header. */
  Wire connect(int address) throws IOException {
    return open(address).hello(CLIENTS, CODEC, null);
  }

  /** A connection to a service other than that of clients. */
  Wire connectTo(String service, int address) throws IOException {
    return open(address).hello(service, CODEC, null);
  }

  /** A connection whose cells travel as messages. */
  Wire connectWithoutCodec(int address) throws IOException {
    return open(address).hello(CLIENTS, null, null);
  }

  /** A connection that compresses cell blocks. */
  Wire connect(int address, String compressor) throws IOException {
    return open(address).hello(CLIENTS, CODEC, compressor);
  }

  static RegionSpecifier region(byte[] name) {
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifierType.REGION_NAME)
        .setValue(UnsafeByteOperations.unsafeWrap(name))
        .build();
  }
}
