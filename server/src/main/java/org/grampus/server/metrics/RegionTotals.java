package org.grampus.server.metrics;

import org.grampus.engine.RegionStats;
import org.grampus.server.region.BlockWeights;

/** Sums over regions at one moment; sizes in bytes, ages in milliseconds. */
final class RegionTotals {
  private int regions;
  private int stores;
  private int files;
  private int references;
  private int largestStoreFiles;
  private long fileBytes;
  private long memstoreBytes;
  private long openFileBytes;
  private long footerBytes;
  private long bloomBytes;
  private long oldestFileMillis = Long.MAX_VALUE;
  private long newestFileMillis;
  private long sumOfFileMillis;
  private long bloomsAsked;
  private long bloomsDenied;
  private long bloomsUnknown;
  private BlockWeights blocks = BlockWeights.NONE;

  /** Adds a region, with the weights of its files' blocks. */
  void add(RegionStats stats, BlockWeights ofRegion) {
    blocks = blocks.plus(ofRegion);
    regions++;
    stores += stats.stores().size();
    files += stats.storeFileCount();
    references += stats.referenceCount();
    largestStoreFiles = Math.max(largestStoreFiles, stats.largestStoreFileCount());
    fileBytes += stats.storeFileBytes();
    memstoreBytes += stats.memstoreBytes();
    openFileBytes += stats.fileParts().open();
    footerBytes += stats.fileParts().footers();
    bloomBytes += stats.fileParts().blooms();
    bloomsAsked += stats.blooms().asked();
    bloomsDenied += stats.blooms().denied();
    bloomsUnknown += stats.blooms().unknown();
    if (stats.storeFileCount() > 0) {
      oldestFileMillis = Math.min(oldestFileMillis, stats.fileTimes().oldest());
      newestFileMillis = Math.max(newestFileMillis, stats.fileTimes().newest());
      sumOfFileMillis += stats.fileTimes().sum();
    }
  }

  int regions() {
    return regions;
  }

  int stores() {
    return stores;
  }

  int files() {
    return files;
  }

  int references() {
    return references;
  }

  /** Files of the store that has most. */
  int largestStoreFiles() {
    return largestStoreFiles;
  }

  long fileBytes() {
    return fileBytes;
  }

  long memstoreBytes() {
    return memstoreBytes;
  }

  /** Memory that the open files take besides their pages. */
  long openFileBytes() {
    return openFileBytes;
  }

  long footerBytes() {
    return footerBytes;
  }

  long bloomBytes() {
    return bloomBytes;
  }

  /** Questions that bloom filters answered. */
  long bloomsAsked() {
    return bloomsAsked;
  }

  /** Those that said that the row is not there. */
  long bloomsDenied() {
    return bloomsDenied;
  }

  /** Questions for which no filter was at hand. */
  long bloomsUnknown() {
    return bloomsUnknown;
  }

  /** The part of the files' blocks that is on this host, from 0 to 1; 0 without files. */
  double localPart() {
    return blocks.localPart();
  }

  /** 0 without regions. */
  long averageRegionBytes() {
    return regions == 0 ? 0 : (fileBytes + memstoreBytes) / regions;
  }

  /** 0 without files, as the other ages. */
  long maxFileAge(long now) {
    return files == 0 ? 0 : now - oldestFileMillis;
  }

  long minFileAge(long now) {
    return files == 0 ? 0 : now - newestFileMillis;
  }

  long averageFileAge(long now) {
    return files == 0 ? 0 : now - sumOfFileMillis / files;
  }
}
