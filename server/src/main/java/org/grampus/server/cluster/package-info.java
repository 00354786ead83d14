/**
 * Our side of the cluster: ZooKeeper, the calls to the master, and what is reported to it. On the
 * wire this is an HBase region server; none of HBase's region server code runs here.
 */
package org.grampus.server.cluster;
