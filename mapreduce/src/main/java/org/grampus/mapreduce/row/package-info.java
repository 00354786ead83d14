/**
 * Rows of records: which columns of a record become which cells, and of what bytes. Nothing here
 * knows where records come from or where rows go.
 */
package org.grampus.mapreduce.row;
