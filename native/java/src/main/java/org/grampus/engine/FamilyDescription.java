package org.grampus.engine;

/**
 * A column family of a {@link RegionDescription}: {@code families} of docs/jni.md.
 *
 * @param maxRowBytes the most bytes of one row's cells that a read may find; null = the server's
 */
@SuppressWarnings("ArrayRecordComponent") // names are bytes, and the record is only written
public record FamilyDescription(
    byte[] name,
    @Inline Versions versions,
    @Inline Files files,
    @Inline CacheRules cache,
    Long maxRowBytes,
    Compaction compaction) {
  /**
   * Which cells are kept.
   *
   * @param ttlSeconds null = for ever
   * @param keepDeletedCells HBase's name
   * @param purgeDeletesAfterMillis major compactions keep markers up to this age; 0 = none for that
   */
  public record Versions(
      int maxVersions,
      int minVersions,
      Integer ttlSeconds,
      String keepDeletedCells,
      boolean newVersionBehavior,
      long purgeDeletesAfterMillis) {}

  /**
   * How files are written.
   *
   * @param bloom HBase's name of the kind of filter
   * @param bloomPrefixLength bytes, or null
   * @param compression HBase's name
   */
  public record Files(String bloom, Integer bloomPrefixLength, int blockSize, String compression) {}

  /**
   * What the family wants of the block cache.
   *
   * @param cacheCompactedUpTo results of compactions up to this size are cached; null = none
   */
  public record CacheRules(
      boolean inMemory,
      boolean blockCache,
      boolean cacheDataOnWrite,
      boolean evictBlocksOnClose,
      boolean prefetchBlocksOnOpen,
      Long cacheCompactedUpTo) {}

  /** Which files are merged and when; sizes in bytes, the period in milliseconds. */
  public record Compaction(
      int filesMin,
      int filesMax,
      long bytesMin,
      long bytesMax,
      float ratio,
      long bytesLarge,
      int filesBlocking,
      long majorPeriodMillis,
      float majorJitter) {
    /** As it crosses. */
    public String json() {
      return EngineJson.write(this);
    }
  }
}
