/**
 * Procedures that the master coordinates through ZooKeeper: flushes of tables and snapshots of
 * enabled tables as clients older than 2.6 ask for them. The protocol is HBase's own; this package
 * is what a member does with its regions.
 */
package org.grampus.server.procedure;
