/**
 * A small Hadoop on this machine: the daemons of HDFS and YARN as processes of their own, on free
 * ports of loopback and below one directory, and programs that use them. Jars and commands are
 * those of {@code hbase-compat/hadoop}.
 */
package org.grampus.perf.hadoop;
