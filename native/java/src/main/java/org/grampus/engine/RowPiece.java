package org.grampus.engine;

/**
 * A piece of a region's files: the rows from one on, up to the first row of the next piece.
 *
 * @param firstRow a row that some file has
 * @param bytes about its bytes in the files
 */
@SuppressWarnings("ArrayRecordComponent") // a row is bytes, and nobody compares these records
public record RowPiece(byte[] firstRow, long bytes) {}
