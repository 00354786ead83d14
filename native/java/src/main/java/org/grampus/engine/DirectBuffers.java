package org.grampus.engine;

import java.nio.ByteBuffer;

/**
 * The one place where Java checks a buffer before its bytes cross. A {@link ByteBuffer} keeps its
 * position and limit within its capacity, so that only its kind is left to check.
 */
final class DirectBuffers {
  private DirectBuffers() {}

  /** Requires a buffer that the engine can read from. */
  static void requireInput(ByteBuffer buffer, String noun) {
    if (!buffer.isDirect()) {
      throw refused(noun, "must be a direct buffer", buffer);
    }
  }

  /** Requires a buffer that the engine can write to. */
  static void requireOutput(ByteBuffer buffer, String noun) {
    requireInput(buffer, noun);
    if (buffer.isReadOnly()) {
      throw refused(noun, "must not be read-only", buffer);
    }
  }

  private static EngineException refused(String noun, String rule, ByteBuffer buffer) {
    return new EngineException(
        ErrorKind.BUG, "the buffer of " + noun + " " + rule + "; it is " + buffer);
  }
}
