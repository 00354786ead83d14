package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Scan;
import org.grampus.mapreduce.download.DownloadCommand;
import org.grampus.mapreduce.imports.ImportCommand;
import org.junit.jupiter.api.Test;

/** Commands show on standard error how far they are, unless they are to be quiet. */
class ProgressTest extends ImportCase {
  private String said(Class<?> command, List<String> arguments) throws Exception {
    Path log = directory.resolve(command.getSimpleName() + ".log");
    Process process = startCommand(command, arguments, log);
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), () -> text(log));
      assertEquals(0, process.exitValue(), () -> text(log));
    } finally {
      process.destroyForcibly();
    }
    return text(log);
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static List<String> loud(List<String> arguments) {
    List<String> loud = new ArrayList<>(arguments);
    assertTrue(loud.remove("--quiet"));
    return loud;
  }

  /** The bar's last state: all of it, and what has been done in the time. */
  private static void assertShown(String said, String command, int rows) {
    String bars = said.replace('\r', '\n');
    String last =
        bars.lines().filter(line -> line.startsWith(command + " ")).reduce((a, b) -> b).orElse("");
    assertTrue(last.contains("100%"), said);
    assertTrue(last.matches(".* [0-9]+:[0-9]{2}:[0-9]{2}.*"), said);
    assertTrue(last.contains(" " + rows + " rows, 0 MiB, "), said);
    assertTrue(last.contains(" rows/s"), said);
  }

  @Test
  void aDownloadAndAnImportShowTheirRows() throws Exception {
    create(b(row(50)));
    fill(100);
    int rows = inOrder(name, new Scan()).size();
    String[] options = {"--format=csv", "--columns=" + COLUMNS};
    assertShown(said(DownloadCommand.class, loud(arguments("loud", options))), "download", rows);
    assertFalse(said(DownloadCommand.class, arguments("quiet", options)).contains("rows/s"));
    List<String> again = importArguments(target("loud").toString(), "--table=" + copy);
    assertShown(said(ImportCommand.class, loud(again)), "import", rows);
  }
}
