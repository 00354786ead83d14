/** Writes of data frames: a put for each row, acknowledged before its task commits. */
package org.grampus.spark.write;
