package org.grampus.mapreduce.input;

/**
 * Rows of a region that follow each other: from a first row up to the next piece's, or to the end
 * of the region. The first piece of a region begins where the region does, whatever its first row.
 *
 * @param bytes about how much there is to read
 */
@SuppressWarnings("ArrayRecordComponent") // a key is bytes, and no code compares these records
public record Piece(byte[] firstRow, long bytes) {}
