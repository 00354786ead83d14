package org.grampus.server.memory;

/** What memory is taken for; each use belongs to one pool and has a gauge of its own. */
public enum MemoryUse {
  /** Frames of requests, whole or partial, and the copies that the engine's requests need. */
  REQUESTS(0, MemoryPool.Kind.DIRECT),
  /** Cell blocks of requests, expanded. */
  CELL_BLOCKS(1, MemoryPool.Kind.DIRECT),
  /** Replies that are being made or wait for their peer. */
  REPLIES(2, MemoryPool.Kind.DIRECT),
  /** Messages of requests on the Java heap. */
  MESSAGES(3, MemoryPool.Kind.HEAP),
  /**
   * Cells of replies as messages on the Java heap, for clients without a cell codec and of atomic
   * groups; errors of a Multi's actions.
   */
  RESULTS(4, MemoryPool.Kind.HEAP),
  /** Connections: their objects on the Java heap. */
  CONNECTIONS(5, MemoryPool.Kind.HEAP),
  /**
   * Open scanners: pages under their cursors, and parts of rows between two calls, in the engine.
   */
  SCANNERS(6, MemoryPool.Kind.SCANNERS),
  /** Frames that have begun and whose rest is not granted yet; counted as requests too. */
  FRAME_BEGINNINGS(7, MemoryPool.Kind.BEGINNINGS);

  /** How many there are. */
  static final int COUNT = 8;

  private final int index;
  private final MemoryPool.Kind pool;

  MemoryUse(int index, MemoryPool.Kind pool) {
    this.index = index;
    this.pool = pool;
  }

  /** Its place in arrays. */
  int index() {
    return index;
  }

  MemoryPool.Kind pool() {
    return pool;
  }
}
