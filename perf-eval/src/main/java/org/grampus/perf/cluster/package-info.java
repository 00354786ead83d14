/**
 * A whole cluster on this machine: HDFS, ZooKeeper, stock HMasters and Grampus's region servers, as
 * processes that are killed, paused and started again while clients work.
 */
package org.grampus.perf.cluster;
