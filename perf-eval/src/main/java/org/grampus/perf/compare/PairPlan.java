package org.grampus.perf.compare;

import java.util.Optional;

/**
 * How two servers are to be started.
 *
 * @param other the one beside Grampus
 * @param hdfs the URI of an HDFS that has their files, or none for the machine's disks
 * @param memoryMb of each, in MiB
 * @param otherFirst whether the other server is the first to start and to take its turn
 */
public record PairPlan(Other other, Optional<String> hdfs, long memoryMb, boolean otherFirst) {}
