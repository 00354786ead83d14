package org.grampus.engine;

/**
 * A segment of a write-ahead log that is to be split.
 *
 * @param wal its absolute path
 * @param rootDir the server's root directory, absolute
 */
public record SplitRequest(String wal, String rootDir) {}
