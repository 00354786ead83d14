package org.grampus.server.rpc;

import java.nio.ByteBuffer;
import org.grampus.engine.CompletionEntries;
import org.grampus.engine.NativeEngine;

/** Where completions come from: the engine, or its stand-in in tests. */
public interface CompletionSource {
  /** See {@link NativeEngine#pollCompletions}. */
  int pollCompletions(CompletionEntries out, long timeoutMillis);

  /** See {@link NativeEngine#takeOverflow}. */
  int takeOverflow(long token, ByteBuffer out);

  /** See {@link NativeEngine#logFailure}. */
  String logFailure();

  /** The native engine. */
  static CompletionSource of(NativeEngine engine) {
    return new CompletionSource() {
      @Override
      public int pollCompletions(CompletionEntries out, long timeoutMillis) {
        return engine.pollCompletions(out, timeoutMillis);
      }

      @Override
      public int takeOverflow(long token, ByteBuffer out) {
        return engine.takeOverflow(token, out);
      }

      @Override
      public String logFailure() {
        return engine.logFailure();
      }
    };
  }
}
