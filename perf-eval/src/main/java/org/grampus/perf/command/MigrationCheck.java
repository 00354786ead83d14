package org.grampus.perf.command;

import java.nio.file.Path;
import java.util.Random;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.migration.Rehearsal;
import org.grampus.perf.migration.Side;
import org.grampus.perf.process.EmptyDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A migration from a stock HBase to Grampus and back, see {@link Rehearsal}. */
@Command(
    name = "migration",
    description = {
      "A stock HBase and Grampus, each with its own ZooKeeper. Tables migrate from one to the other"
          + " and back as docs/cluster.md says it, by Export, Import and CopyTable in the local job"
          + " runner, in passes beside an application that writes. They are compared by"
          + " RowCounter, HashTable, SyncTable and cell by cell.",
      "Fails when a cell, a marker or an acknowledged write is not on the other side."
    })
final class MigrationCheck extends MeasuringCommand {
  @Mixin private ClusterOptions options;

  @Override
  protected void measure() throws Exception {
    Random random = options.random("migration");
    Path place = EmptyDirectory.create(options.directoryOr(work()).toAbsolutePath());
    try (Side hbase = Side.start(checkout(), place, ServerKind.HBASE);
        Side grampus = Side.start(checkout(), place, ServerKind.GRAMPUS)) {
      String done = new Rehearsal(hbase, grampus, random).run();
      hbase.stop();
      grampus.stop();
      System.out.println("checked: " + done);
    }
  }
}
