package org.grampus.compat.protocol;

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.VersionInfo;

/**
 * The version that a client names in its connection header, which switches a few behaviours.
 * gohbase and asynchbase name none and count as older than everything.
 *
 * @param major first number, 0 when unknown
 * @param minor second number, 0 when unknown
 */
public record ClientVersion(int major, int minor) {
  /** A client that names no version. */
  public static final ClientVersion UNKNOWN = new ClientVersion(0, 0);

  /** Reads the numbers, or the text of clients that send only that. */
  public static ClientVersion of(VersionInfo info) {
    if (info.hasVersionMajor() && info.hasVersionMinor()) {
      return new ClientVersion(info.getVersionMajor(), info.getVersionMinor());
    }
    String text = info.getVersion();
    int dot = text.indexOf('.');
    if (dot < 0) {
      return UNKNOWN;
    }
    int major = leadingNumber(text, 0);
    int minor = leadingNumber(text, dot + 1);
    return major < 0 || minor < 0 ? UNKNOWN : new ClientVersion(major, minor);
  }

  /** Whether the client is of this version or newer. */
  public boolean atLeast(int wantedMajor, int wantedMinor) {
    return major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
  }

  /** 1.2: knows MultiActionResultTooLarge. */
  public boolean retriesImmediately() {
    return atLeast(1, 2);
  }

  /** 1.3: takes the cells of a single Get from a cell block, and knows RequestTooBigException. */
  public boolean readsGetCellBlock() {
    return atLeast(1, 3);
  }

  /** 1.4: knows ScannerResetException. */
  public boolean resetsScanners() {
    return atLeast(1, 4);
  }

  private static int leadingNumber(String text, int from) {
    int value = -1;
    for (int i = from; i < text.length() && i < from + 6; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      value = Math.max(value, 0) * 10 + digit;
    }
    return value;
  }
}
