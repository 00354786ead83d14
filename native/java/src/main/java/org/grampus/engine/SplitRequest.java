package org.grampus.engine;

/**
 * A segment of a write-ahead log that is to be split.
 *
 * @param wal its absolute path
 * @param rootDir the server's root directory, absolute
 * @param walRootDir below which recovered edits are written; null = below {@code rootDir}
 */
public record SplitRequest(String wal, String rootDir, String walRootDir) {}
