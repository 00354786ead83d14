package org.grampus.perf.compare;

import java.util.Optional;
import org.grampus.perf.process.Checkout;

/**
 * How two servers are to be started.
 *
 * @param earlier the checkout of another Grampus, or none for a stock HBase
 * @param hdfs the URI of an HDFS that has their files, or none for the machine's disks
 * @param memoryMb of each, in MiB
 * @param otherFirst whether the other server is the first to start and to take its turn
 * @param observed whether Grampus has a sink of metrics, and its pages are asked for meanwhile
 */
public record PairPlan(
    Optional<Checkout> earlier,
    Optional<String> hdfs,
    long memoryMb,
    boolean otherFirst,
    boolean observed) {}
