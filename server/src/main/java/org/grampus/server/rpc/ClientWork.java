package org.grampus.server.rpc;

import java.net.InetAddress;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Whether a connection's calls are heavy, by what it has asked for lately. A new connection begins
 * with the record of its address, so that nothing is gained by connecting again; from then on it is
 * judged by its own calls, whatever its neighbours do. Any thread.
 */
public final class ClientWork {
  private final WorkRecord address;
  private final WorkRecord own;

  private ClientWork(WorkRecord address) {
    this.address = address;
    this.own = new WorkRecord(address);
  }

  /** Enters a call that took so many nanoseconds of a processor. */
  void add(long nanos) {
    long now = System.nanoTime();
    own.add(nanos, now);
    address.add(nanos, now);
  }

  boolean isHeavy() {
    return own.isHeavy(System.nanoTime());
  }

  /**
   * The records of addresses. Their number is fixed, since addresses come and go: those that share
   * one share what their new connections begin with, which ones is different in each process.
   */
  static final class Addresses {
    private static final int RECORDS = 4096;

    private final WorkRecord[] records = new WorkRecord[RECORDS];
    private final int salt = ThreadLocalRandom.current().nextInt();

    Addresses() {
      long now = System.nanoTime();
      for (int i = 0; i < RECORDS; i++) {
        records[i] = new WorkRecord(now);
      }
    }

    /** For a new connection from this address, which may be null. */
    ClientWork connect(InetAddress address) {
      int hash = (Objects.hashCode(address) ^ salt) * 0x9E3779B9;
      return new ClientWork(records[(hash >>> 16) % RECORDS]);
    }
  }
}
