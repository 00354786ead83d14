/** The input formats for jobs of Hadoop's old API. */
package org.grampus.mapreduce.mapred;
