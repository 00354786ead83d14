package org.grampus.engine;

/**
 * What a complete column file has.
 *
 * @param bytes of the file
 * @param firstRow null without rows: such a file cannot be loaded
 * @param lastRow null without rows
 */
@SuppressWarnings("ArrayRecordComponent") // rows are bytes, and these records are never compared
public record ColumnFileReport(
    long bytes, long rows, long cells, @Absent byte[] firstRow, @Absent byte[] lastRow) {}
