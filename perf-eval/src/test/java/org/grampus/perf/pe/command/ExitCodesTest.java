package org.grampus.perf.pe.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.grampus.perf.pe.option.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExitCodesTest {
  /** No server is where it looks; it gives up at once. */
  private static int run(String line) throws Exception {
    Configuration conf = new Configuration();
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.set("hbase.zookeeper.property.clientPort", "1");
    conf.setInt("hbase.client.retries.number", 1);
    conf.setInt("zookeeper.recovery.retry", 0);
    String[] arguments = line.isEmpty() ? new String[0] : line.split(" ");
    return ToolRunner.run(conf, new PerformanceEvaluation(conf), arguments);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "scan",
        "--rows=x scan 1",
        "--rows=0 scan 1",
        "--presplit=5 --rows=4 sequentialWrite 1",
        "no.such.Test 1",
        "java.lang.String 1",
        "org.apache.hadoop.hbase.PerformanceEvaluation$ScanTest 1"
      })
  void wrongArgumentsAreTwo(String line) throws Exception {
    assertEquals(2, run(line));
  }

  @Test
  void aServerThatIsNotThereIsOne() throws Exception {
    assertEquals(1, run("--nomapred --rows=1 sequentialWrite 1"));
  }

  @Test
  void helpIsZero() throws Exception {
    assertEquals(0, run("--help"));
  }

  @Test
  void theUsageNamesEveryTest() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Usage.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    String usage = bytes.toString(StandardCharsets.UTF_8);

    for (Command command : Command.values()) {
      assertTrue(usage.contains(command.testClass().isEmpty() ? "RowTest" : " " + command + " "));
    }
  }
}
