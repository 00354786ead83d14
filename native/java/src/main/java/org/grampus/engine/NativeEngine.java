package org.grampus.engine;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * The engine of one process: its WAL, caches and workers. All methods may be called from any
 * thread.
 */
public final class NativeEngine extends NativeHandle implements AutoCloseable {
  private NativeEngine(long handle) {
    super(handle);
  }

  /** Opens the engine. Regular expressions that it cannot evaluate itself are refused. */
  public static NativeEngine open(EngineConfig config) {
    return open(config, null);
  }

  /**
   * Opens the engine.
   *
   * @param patterns evaluates the regular expressions that the engine does not, as long as it is
   *     open
   */
  public static NativeEngine open(EngineConfig config, PatternCompiler patterns) {
    return open(config, patterns, null);
  }

  /**
   * Opens the engine over file systems of Java's.
   *
   * @param patterns as above, or null
   * @param files has the files whose places are URIs of a scheme other than local files, as long as
   *     the engine is open; null where all are on local disks
   */
  public static NativeEngine open(
      EngineConfig config, PatternCompiler patterns, EngineFiles files) {
    NativeLibraryLoader.load();
    return new NativeEngine(open0(config.json(), patterns, files));
  }

  /** Starts the WALs of a server; regions can be opened afterwards. */
  public void startWal(String dir, String oldDir, String prefix) {
    startWal0(handle(), dir, oldDir, prefix);
  }

  /**
   * Opens a region: lists its files, replays its recovered edits, chooses its open sequence number.
   * Blocks.
   */
  public NativeRegion openRegion(RegionDescription region) {
    return new NativeRegion(openRegion0(handle(), region.json()));
  }

  /** Splits one WAL segment into recovered edits of its regions. Blocks; may be repeated. */
  public SplitReport splitWal(SplitRequest request) {
    return EngineJson.read(splitWal0(handle(), EngineJson.write(request)), SplitReport.class);
  }

  /**
   * Fetches the output of a mutation that did not fit, once, or drops it.
   *
   * @param out a direct buffer, an empty one to drop the output; the output is written from its
   *     position on, which is not moved
   * @return the bytes that were written
   */
  public int takeOverflow(long token, ByteBuffer out) {
    DirectBuffers.requireOutput(out, "answers");
    return takeOverflow0(handle(), token, out, out.position(), out.remaining());
  }

  /**
   * Waits for completions. For one thread.
   *
   * @return the number of entries, 0 after the timeout, -1 once the engine is closed
   */
  public int pollCompletions(CompletionEntries out, long timeoutMillis) {
    return pollCompletions0(handle(), out.buffer(), timeoutMillis);
  }

  /**
   * Waits for events of background work. One thread calls it.
   *
   * @return the events, oldest first, none after the timeout; null when the engine is closed and
   *     all were returned
   */
  public List<EngineEvent> pollEvents(long timeoutMillis) {
    String events = pollEvents0(handle(), timeoutMillis);
    return events == null ? null : EngineJson.readAll(events, EngineEvent.class);
  }

  /**
   * Counters, gauges and histograms, and the flushes and compactions that are done.
   *
   * @param afterWork the highest number of those that are known already, 0 for none: only later
   *     ones are returned, the latest 1,024 of them
   */
  public EngineMetrics metrics(long afterWork) {
    return EngineMetrics.read(metrics0(handle(), afterWork));
  }

  /** Counters, gauges and histograms, without flushes and compactions. */
  public EngineMetrics metrics() {
    return metrics(Long.MAX_VALUE);
  }

  /**
   * The statistics of all open regions by their encoded names, as of about now. A region that
   * closes is not among them.
   */
  public Map<String, RegionStats> regionStats() {
    return RegionStatsReply.read(regionStats0(handle()));
  }

  /** Why a write-ahead log is lost, so that the process must end; null while none is. */
  public String logFailure() {
    return logFailure0(handle());
  }

  /** Turns background compactions on or off; returns what was. */
  public boolean setCompactionsEnabled(boolean enabled) {
    return setCompactionsEnabled0(handle(), enabled);
  }

  /**
   * Gives up the compactions that wait, also those that were asked for; the ones that run go on.
   */
  public void clearCompactions() {
    clearCompactions0(handle());
  }

  /** Starts a new segment in each WAL. */
  public void rollWal() {
    rollWal0(handle());
  }

  /**
   * Stops the workers and the WALs. Regions must be closed before.
   *
   * @throws EngineException when all is stopped, if acknowledged edits are in a WAL alone
   */
  @Override
  public void close() {
    long live = release();
    if (live != 0) {
      close0(live);
    }
  }

  private static native long open0(String configJson, PatternCompiler patterns, EngineFiles files);

  private static native void startWal0(long engine, String dir, String oldDir, String prefix);

  private static native long openRegion0(long engine, String requestJson);

  private static native String splitWal0(long engine, String requestJson);

  private static native int takeOverflow0(
      long engine, long token, ByteBuffer out, int offset, int length);

  private static native int pollCompletions0(long engine, ByteBuffer out, long timeoutMillis);

  private static native String pollEvents0(long engine, long timeoutMillis);

  private static native byte[] regionStats0(long engine);

  private static native String metrics0(long engine, long afterWork);

  private static native String logFailure0(long engine);

  private static native boolean setCompactionsEnabled0(long engine, boolean enabled);

  private static native void clearCompactions0(long engine);

  private static native void rollWal0(long engine);

  private static native void close0(long engine);
}
