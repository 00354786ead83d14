package org.grampus.engine;

/**
 * A piece of a region: the rows from one on, up to the first row of the next piece.
 *
 * @param firstRow a row that some file or memtable has
 * @param bytes about its bytes: in files as they are stored, in memtables those of the cells
 */
@SuppressWarnings("ArrayRecordComponent") // a row is bytes, and no code compares these records
public record RowPiece(byte[] firstRow, long bytes) {}
