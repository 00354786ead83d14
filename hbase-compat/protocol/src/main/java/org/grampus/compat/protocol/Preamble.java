package org.grampus.compat.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The six bytes that open a connection: {@code HBas}, version, authentication; or one of two
 * questions that are asked instead.
 */
public final class Preamble {
  /** Bytes of every preamble. */
  public static final int BYTES = 6;

  /** The only version. */
  public static final int VERSION = 0;

  /** Authentication code of a client that only says who it is. */
  public static final byte SIMPLE = 80;

  /** Authentication code of Kerberos. */
  public static final byte KERBEROS = 81;

  /** Authentication code of delegation tokens. */
  public static final byte DIGEST = 82;

  private static final byte[] MAGIC = "HBas".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] REGISTRY = "Regist".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SECURITY = "Securi".getBytes(StandardCharsets.US_ASCII);

  /** What a preamble asks for. */
  public enum Kind {
    /** A connection for calls. */
    CONNECT,
    /** The cluster's id, and no more. */
    REGISTRY,
    /** The server's principal, before the real preamble. */
    SECURITY,
    /** Something else. */
    WRONG_MAGIC
  }

  private Preamble() {}

  /** What these six bytes ask for. */
  public static Kind kind(byte[] preamble) {
    if (Arrays.equals(preamble, REGISTRY)) {
      return Kind.REGISTRY;
    }
    if (Arrays.equals(preamble, SECURITY)) {
      return Kind.SECURITY;
    }
    boolean magic = Arrays.equals(preamble, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    return magic ? Kind.CONNECT : Kind.WRONG_MAGIC;
  }

  /** The version byte, unsigned. */
  public static int version(byte[] preamble) {
    return preamble[MAGIC.length] & 0xff;
  }

  /** The authentication byte. */
  public static byte authentication(byte[] preamble) {
    return preamble[MAGIC.length + 1];
  }

  /**
   * The text for a wrong magic. Its beginning is part of the protocol: a client that asked with
   * {@code Regist} takes it, and nothing else, as the sign of an older server.
   */
  public static String wrongMagicText(byte[] preamble, String peer) {
    return "Expected HEADER="
        + Bytes.toStringBinary(MAGIC)
        + " but received HEADER="
        + Bytes.toStringBinary(preamble, 0, MAGIC.length)
        + " from "
        + peer;
  }

  /** The text for a wrong version or authentication. */
  public static String wrongVersionText(byte[] preamble, String peer) {
    return "serverVersion="
        + VERSION
        + ", clientVersion="
        + version(preamble)
        + ", authMethod="
        + authentication(preamble)
        + ", authName=unknown from "
        + peer;
  }
}
