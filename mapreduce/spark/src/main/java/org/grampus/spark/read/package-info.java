/** Reads of tables: what is pushed down, partitions, and their readers in the executors. */
package org.grampus.spark.read;
