package org.grampus.engine;

/**
 * What batches of a table are to be: {@code batchStream} of docs/jni.md.
 *
 * @param mapping the columns, as docs/downloads.md writes them
 * @param rows of a batch at most; null = 16,384
 * @param bytes of a batch, which goes beyond them by 64 KiB and one row; null = 16 MiB
 */
public record BatchStreamRequest(String mapping, Integer rows, Integer bytes) {}
