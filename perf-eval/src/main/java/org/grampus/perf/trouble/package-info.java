/** Trouble of HDFS, of the network and of single servers, with what a cluster must do in it. */
package org.grampus.perf.trouble;
