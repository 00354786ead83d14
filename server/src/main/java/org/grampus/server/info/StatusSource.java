package org.grampus.server.info;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.metrics.Identity;
import org.grampus.server.metrics.Snapshot;
import org.grampus.server.slowlog.SlowLog;

/**
 * What the pages show.
 *
 * @param identity which server it is
 * @param latest the latest snapshot of its numbers
 * @param memory what clients take
 * @param slowLog calls that took long
 * @param events what the engine said lately
 * @param serves whether clients are served
 * @param fenced whether writes are refused for want of contact with ZooKeeper
 */
public record StatusSource(
    Identity identity,
    Supplier<Snapshot> latest,
    MemoryAccount memory,
    SlowLog slowLog,
    RecentEvents events,
    BooleanSupplier serves,
    BooleanSupplier fenced) {}
