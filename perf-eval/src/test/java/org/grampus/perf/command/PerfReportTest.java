package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PerfReportTest {
  @Test
  void threadsOfOnePoolAreOneAndSmallSharesAreLeftOut() {
    String report =
        """
        # Overhead  Command
            40.25%  rpc-loop-1
            10.50%  rpc-loop-2
            30.00%  flush-1
             0.75%  wal
        """;

    assertEquals(List.of("  50.8 % rpc-loop", "  30.0 % flush"), PerfReport.shares(report));
  }

  @Test
  void librariesHaveTheirPlainNames() {
    String report =
        """
            20.00%  [JIT] tid 4711
            12.00%  libgrampus.so (deleted)
        """;

    assertEquals(
        List.of("  20.0 % Java, compiled or interpreted", "  12.0 % libgrampus.so"),
        PerfReport.shares(report));
  }

  @Test
  void symbolsWithoutANameAreLeftOut() {
    String report =
        """
             5.00%  [k] copy_user_generic          -      -
             4.00%  [.] 0x00007f0011223344
             3.00%  [.] grampus_colfile::page::decode   -      -
        """;

    assertEquals(
        List.of(
            "     5.00%  [k] copy_user_generic", "     3.00%  [.] grampus_colfile::page::decode"),
        PerfReport.symbols(report));
  }
}
