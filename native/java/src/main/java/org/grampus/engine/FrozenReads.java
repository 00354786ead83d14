package org.grampus.engine;

/**
 * What was read of the files of a frozen region since they were opened.
 *
 * @param cacheHits pages that were in the region's cache
 * @param cacheMisses pages that were not
 * @param readBytes bytes of pages that were read of files, as they are stored; not what is read of
 *     a file when it is opened
 */
public record FrozenReads(long cacheHits, long cacheMisses, long readBytes) {
  /** Nothing yet. */
  public static final FrozenReads NONE = new FrozenReads(0, 0, 0);

  /** These and others. */
  public FrozenReads plus(FrozenReads others) {
    return new FrozenReads(
        cacheHits + others.cacheHits,
        cacheMisses + others.cacheMisses,
        readBytes + others.readBytes);
  }
}
