package org.grampus.engine;

import java.util.List;

/**
 * Sizes (bytes) and counters of one region.
 *
 * @param largestStoreFileCount files of the store that has most
 * @param referenceCount files that are a part of another region's file
 * @param fileParts what the files consist of
 * @param readers what reads the files
 * @param flushedSequence the lowest sequence id that is not flushed, less one
 */
public record RegionStats(
    long memstoreBytes,
    long storeFileBytes,
    int storeFileCount,
    int largestStoreFileCount,
    int referenceCount,
    FileParts fileParts,
    Readers readers,
    FileTimes fileTimes,
    long flushedSequence,
    Compaction compaction,
    Compacted compacted,
    Blooms blooms,
    List<Store> stores) {
  /**
   * What the region's files consist of, in bytes; files that it shares with another region count as
   * a whole but for {@code own}.
   *
   * @param own files in the region's own directory, which are neither references nor links
   * @param uncompressed all pages before compression
   * @param open memory that the open files take, their pages in the cache not counted
   * @param footers the files' indexes before compression
   * @param blooms bloom filters before compression
   */
  public record FileParts(long own, long uncompressed, long open, long footers, long blooms) {}

  /**
   * Cursors of reads and compactions that are open on the region's files.
   *
   * @param current on all of its own files together
   * @param replaced on the one that has most of those that compactions have replaced
   */
  public record Readers(int current, int replaced) {}

  /** When the region's files were made, in milliseconds since the epoch; 0 without files. */
  public record FileTimes(long oldest, long newest, long sum) {}

  /**
   * What the region's compactions do.
   *
   * @param state what runs or was asked for
   * @param lastMajorMillis when the oldest result of a major compaction was made, 0 without one
   * @param totalCells cells of the compactions that run
   * @param readCells those of them that were read
   */
  public record Compaction(
      CompactionState state, long lastMajorMillis, long totalCells, long readCells) {}

  /**
   * What the region's compactions have done since it was opened.
   *
   * @param files files that those done have read
   * @param bytes of these files
   */
  public record Compacted(long done, long failed, long files, long bytes) {}

  /**
   * Questions to the bloom filters of the region's files since it was opened, one for each file
   * that has the row in its range.
   *
   * @param asked those that a filter answered
   * @param denied those of them that said that the row is not there
   * @param unknown those for which there was no filter, or none at hand
   */
  public record Blooms(long asked, long denied, long unknown) {}

  /**
   * One store of the region.
   *
   * @param family its name
   */
  @SuppressWarnings("ArrayRecordComponent") // a name is bytes, and no code compares these records
  public record Store(byte[] family, int files, long bytes, long flushedSequence) {}

  /** Whether files of a split or merge are still shared with another region. */
  public boolean hasReferences() {
    return referenceCount > 0;
  }
}
