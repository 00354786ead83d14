package org.grampus.server.rpc;

import java.net.InetAddress;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.grampus.server.env.Env;

/**
 * Whether a connection's calls are heavy, by what it has asked for lately. A new connection begins
 * with the record of its address, so that nothing is gained by connecting again; from then on it is
 * rated by its own calls, whatever its neighbours do. Any thread.
 */
public final class ClientWork {
  private final WorkRecord address;
  private final WorkRecord own;
  private final LongSupplier nanoClock;

  private ClientWork(WorkRecord address, LongSupplier nanoClock) {
    this.address = address;
    this.own = new WorkRecord(address);
    this.nanoClock = nanoClock;
  }

  /** Enters a task that took {@code nanos} nanoseconds of a processor. */
  void add(long nanos) {
    long now = nanoClock.getAsLong();
    own.add(nanos, now);
    address.add(nanos, now);
  }

  boolean isHeavy() {
    return own.isHeavy(nanoClock.getAsLong());
  }

  /**
   * The records of addresses. Their number is fixed, since addresses come and go. Addresses that
   * hash to the same record share it; the hash is salted per process.
   */
  static final class Addresses {
    private static final int RECORDS = 4096;

    private final WorkRecord[] records = new WorkRecord[RECORDS];
    private final int salt = Env.anyInt();
    private final LongSupplier nanoClock;

    /** Empty records, in the time of this clock. */
    Addresses(LongSupplier nanoClock) {
      this.nanoClock = nanoClock;
      long now = nanoClock.getAsLong();
      for (int i = 0; i < RECORDS; i++) {
        records[i] = new WorkRecord(now);
      }
    }

    /** For a new connection from this address, which may be null. */
    ClientWork connect(InetAddress address) {
      int hash = (Objects.hashCode(address) ^ salt) * 0x9E3779B9;
      return new ClientWork(records[(hash >>> 16) % RECORDS], nanoClock);
    }
  }
}
