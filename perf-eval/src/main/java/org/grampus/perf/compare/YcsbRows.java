package org.grampus.perf.compare;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.grampus.perf.ycsb.CoreMix;

/** Rows of YCSB's core workloads. */
final class YcsbRows {
  private YcsbRows() {}

  /** A, B, C, F, D and E: those that add records come last, as YCSB says. */
  static List<Row> all() {
    YcsbTable table = new YcsbTable("usertable", Sizes::records);
    return Stream.of(CoreMix.A, CoreMix.B, CoreMix.C, CoreMix.F, CoreMix.D, CoreMix.E)
        .map(mix -> row(mix, table))
        .toList();
  }

  private static Row row(CoreMix mix, YcsbTable table) {
    return new Row(
        "ycsb-" + mix.option(),
        "YCSB " + mix + ": " + mix.what(),
        Optional.of(table),
        new YcsbWork(table, mix, Sizes.CLIENTS, true),
        mix == CoreMix.C ? Row.Aftermath.NONE : Row.Aftermath.BACKGROUND_WORK,
        Optional.empty());
  }
}
