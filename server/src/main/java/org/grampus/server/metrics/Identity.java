package org.grampus.server.metrics;

import java.util.function.Supplier;

/**
 * Which server the metrics are of: the tags of its beans.
 *
 * @param server its name, host, port and start code
 * @param clusterId the cluster's id; empty while it is not known
 * @param quorum the ZooKeeper servers
 * @param startMillis when it started, in milliseconds since the epoch
 */
public record Identity(
    Supplier<String> server, Supplier<String> clusterId, String quorum, long startMillis) {}
