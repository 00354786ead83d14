/**
 * Rows as typed columns, of a snapshot's files or of a table's servers: what downloads, streams and
 * programs that want batches have in common (docs/mapreduce.md).
 */
package org.grampus.mapreduce.columns;
