/** Imports into tables, through the stock HBase client. */
package org.grampus.mapreduce.job;
