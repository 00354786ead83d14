/**
 * Bulk loads: jobs whose reducers write column files ({@link
 * org.grampus.mapreduce.load.ColumnFileOutputFormat}), and the hand-over of such files to a table's
 * regions ({@link org.grampus.mapreduce.load.ColumnFileLoader}). {@link
 * org.grampus.mapreduce.load.BulkLoadJob} does both for a job that emits puts.
 */
package org.grampus.mapreduce.load;
