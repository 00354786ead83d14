/**
 * Jobs over whole tables: imports now, scans and downloads to come. Each speaks to the server
 * through the stock HBase client.
 */
package org.grampus.mapreduce.job;
