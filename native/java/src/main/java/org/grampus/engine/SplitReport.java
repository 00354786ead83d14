package org.grampus.engine;

/**
 * What the split of a segment did.
 *
 * @param regions that it had edits of
 * @param edits that were written
 * @param settled edits whose region closed in order after them, so that they were left out
 * @param leftOut parts that could not be read
 */
public record SplitReport(long regions, long edits, long settled, long leftOut) {}
