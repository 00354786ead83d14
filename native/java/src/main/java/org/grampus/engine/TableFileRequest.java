package org.grampus.engine;

import java.util.Map;

/**
 * What a file of a table is to be: {@code tableFile} of docs/jni.md.
 *
 * @param mapping the columns, as docs/downloads.md writes them
 * @param format of the file
 * @param compression none, snappy, zstd or deflate, of Parquet's pages, which do not have deflate,
 *     and Avro's blocks; null = zstd for Parquet, deflate for Avro, and for other formats
 * @param rowsAscend whether the rows come in the order of their keys; a Parquet file says so
 * @param metadata keys and values that stand beside the schema of a Parquet file
 * @param header whether a table of text begins with the names of its columns; of no meaning for
 *     other formats
 */
public record TableFileRequest(
    String mapping,
    String format,
    String compression,
    boolean rowsAscend,
    Map<String, String> metadata,
    boolean header) {}
