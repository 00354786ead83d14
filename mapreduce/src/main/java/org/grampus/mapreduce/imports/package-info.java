/**
 * {@code bin/grampus import}: files into a table, by a job with a map for each split
 * (docs/imports.md). Records become rows in {@code row}; where rows go is a {@link
 * org.grampus.mapreduce.imports.RowSink}.
 */
package org.grampus.mapreduce.imports;
