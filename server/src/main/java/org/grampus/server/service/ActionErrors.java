package org.grampus.server.service;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryUse;

/**
 * The errors of the actions of one Multi. An action takes two bytes on the wire and its error more
 * than a thousand, with the stack trace that HBase sends. So equal errors share one message, and
 * once the texts in a reply take {@link #TEXT_BYTES}, or find no memory, errors have their class
 * alone, by which clients decide. Where they read the text of a RegionMovedException, they get
 * NotServingRegionException, its superclass, instead. One thread at a time.
 */
final class ActionErrors {
  /** Texts of errors that a reply carries, equal ones counted each time. */
  static final int TEXT_BYTES = 1 << 20;

  /** The longest text of one error: some quote what their action names, which may be anything. */
  private static final int LONGEST_TEXT = 64 << 10;

  private static final ByteString NO_TEXT =
      ByteString.copyFromUtf8("(too many errors to say more)");

  private final CallMemory memory;
  private final Map<Kind, NameBytesPair> errors = new HashMap<>(2);
  private final Map<Class<?>, NameBytesPair> brief = new HashMap<>(2);
  private long textBytes;

  /** What makes errors equal for a client; stack traces may differ. */
  private record Kind(Class<?> type, String text) {}

  ActionErrors(CallMemory memory) {
    this.memory = memory;
  }

  /** The message of an error, to be put into the reply once more. */
  NameBytesPair of(Throwable error) {
    String text = error.getMessage();
    if (textBytes >= TEXT_BYTES || (text != null && text.length() > LONGEST_TEXT)) {
      return brief(error);
    }
    Kind kind = new Kind(error.getClass(), text);
    NameBytesPair message = errors.get(kind);
    if (message == null) {
      message = Results.error(error);
      if (!memory.tryReserve(MemoryUse.RESULTS, 2L * message.getSerializedSize())) {
        return brief(error);
      }
      errors.put(kind, message);
    }
    textBytes += message.getSerializedSize();
    return message;
  }

  private NameBytesPair brief(Throwable error) {
    return brief.computeIfAbsent(
        error instanceof RegionMovedException ? NotServingRegionException.class : error.getClass(),
        type -> NameBytesPair.newBuilder().setName(type.getName()).setValue(NO_TEXT).build());
  }
}
