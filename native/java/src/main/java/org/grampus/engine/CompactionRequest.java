package org.grampus.engine;

/**
 * A compaction that is asked for.
 *
 * @param family null = all
 * @param major all files of a store, and what is deleted goes
 */
@SuppressWarnings("ArrayRecordComponent") // a name is bytes, and the record is only written
public record CompactionRequest(byte[] family, boolean major) {}
