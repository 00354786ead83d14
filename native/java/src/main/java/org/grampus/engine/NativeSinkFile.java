package org.grampus.engine;

import java.util.Objects;

/**
 * A file in the making whose bytes go to a {@link TableSink}. Used by one thread at a time; close
 * may come from any thread.
 *
 * <p>After an exception the file is none, and what the sink has taken is a part of one. Closing
 * completes nothing: only {@link #finish} does.
 *
 * @param <R> what is said of the finished file
 */
abstract class NativeSinkFile<R> extends NativeHandle implements AutoCloseable {
  private final Class<R> reportType;

  NativeSinkFile(long handle, Class<R> reportType) {
    super(handle);
    this.reportType = reportType;
  }

  /** Requires a sink, and loads the library that calls it. */
  static void requireSink(TableSink sink) {
    Objects.requireNonNull(sink, "sink");
    NativeLibraryLoader.load();
  }

  /** The native call that finishes; the handle ends, whatever comes. Returns JSON. */
  abstract String finishNative(long file);

  /** The native call that lets go. */
  abstract void closeNative(long file);

  /**
   * Completes the file. The sink has then taken all of it, and the file is closed.
   *
   * @throws EngineException IO when the sink fails, or has failed before; BUG when a call before
   *     has failed, or a scan has not come to its end
   */
  public final R finish() {
    long live = handle();
    release();
    return EngineJson.read(finishNative(live), reportType);
  }

  /**
   * Lets go of a file, which is none unless it was finished before. The sink is not called again.
   */
  @Override
  public final void close() {
    long live = release();
    if (live != 0) {
      closeNative(live);
    }
  }
}
