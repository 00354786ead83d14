package org.grampus.server.rpc;

import java.nio.ByteBuffer;
import org.grampus.engine.NativeEngine;

/** Where completions come from: the engine, or its stand-in in tests. */
public interface CompletionSource {
  /** See {@link NativeEngine#pollCompletions}. */
  int pollCompletions(ByteBuffer out, long timeoutMillis);

  /** See {@link NativeEngine#takeOverflow}. */
  int takeOverflow(long token, ByteBuffer out, int offset, int length);

  /** See {@link NativeEngine#logFailure}. */
  String logFailure();

  /** The native engine. */
  static CompletionSource of(NativeEngine engine) {
    return new CompletionSource() {
      @Override
      public int pollCompletions(ByteBuffer out, long timeoutMillis) {
        return engine.pollCompletions(out, timeoutMillis);
      }

      @Override
      public int takeOverflow(long token, ByteBuffer out, int offset, int length) {
        return engine.takeOverflow(token, out, offset, length);
      }

      @Override
      public String logFailure() {
        return engine.logFailure();
      }
    };
  }
}
