/**
 * {@code bin/grampus download}: a table's rows as typed columns in files that other programs read,
 * written by a job whose tasks read a snapshot's files without a server (docs/downloads.md). {@code
 * bin/grampus stream} ({@link org.grampus.mapreduce.download.StreamCommand}) writes the same rows
 * to standard output (docs/python.md).
 */
package org.grampus.mapreduce.download;
