package org.grampus.engine;

/**
 * What a complete file of a table has.
 *
 * @param rows without a header
 * @param bytes of the file
 * @param crc32c CRC-32C of these bytes, unsigned
 */
public record TableFileReport(long rows, long bytes, long crc32c) {}
