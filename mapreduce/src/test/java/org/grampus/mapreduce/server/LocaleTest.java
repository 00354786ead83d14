package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.grampus.mapreduce.download.DownloadCommand;
import org.grampus.mapreduce.download.StreamCommand;
import org.grampus.mapreduce.imports.ImportCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands in the locale C, in which cron and systemd start them. */
class LocaleTest {
  private static final Path ENVIRONMENT = Path.of("../bin/lib/environment.sh");

  /** What bin/grampus does before it starts a client. */
  private static final String AS_LAUNCHED = ". " + ENVIRONMENT + "; utf8_locale; ";

  /** The bytes of UTF-8, whatever locale this process has. */
  private static final String SIZE = "\"$(printf '%s')\"".formatted("gr\\303\\266\\303\\237e.csv");

  private record Said(int code, String text) {}

  @TempDir Path directory;

  private Said run(String locale, String script) throws IOException, InterruptedException {
    ProcessBuilder shell = new ProcessBuilder("bash", "-c", "set -euo pipefail; " + script);
    Map<String, String> environment = shell.environment();
    environment
        .keySet()
        .removeIf(
            name -> name.equals("LANG") || name.startsWith("LC_") || name.equals("GRAMPUS_HOME"));
    environment.put("GRAMPUS_DATA_DIR", directory.toString());
    if (locale != null) {
      environment.put("LC_ALL", locale);
    }
    Process process = shell.redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), text);
  }

  private static String command(Class<?> command, String arguments) {
    List<String> line = new ArrayList<>(ClientJvm.COMMAND);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), command.getName()));
    return "exec " + String.join(" ", line) + " " + arguments;
  }

  private void assertRefused(Class<?> command, String arguments) throws Exception {
    Said said = run("C", command(command, arguments));
    assertEquals(CommandLine.ExitCode.USAGE, said.code(), said.text());
    assertTrue(said.text().contains("U+FFFD"), said.text());
    assertTrue(said.text().contains("LC_ALL=C.UTF-8"), said.text());
  }

  @Test
  void anArgumentThatDidNotArriveAsItWasWrittenIsRefused() throws Exception {
    assertRefused(ImportCommand.class, SIZE + " --table=t");
    assertRefused(ImportCommand.class, "a.csv --table=t --key-separator=" + SIZE);
    assertRefused(DownloadCommand.class, "t --to=d --format=csv --rows=" + SIZE + ",");
    assertRefused(StreamCommand.class, "t --columns=f:" + SIZE);
  }

  @Test
  void aFileOfADirectoryIsNotLeftOut() throws Exception {
    Path files = Files.createDirectories(directory.resolve("files"));
    Files.writeString(files.resolve("a.csv"), "k\n1\n");
    String begin = "printf 'k\\n2\\n' > " + files + "/" + SIZE + "; ";
    Said said = run("C", begin + command(ImportCommand.class, files + " --table=t --key=k"));
    assertEquals(CommandLine.ExitCode.SOFTWARE, said.code(), said.text());
    assertTrue(said.text().contains("a name that this process cannot read"), said.text());
  }

  @Test
  void theLauncherMakesTheLocaleOneOfUtf8() throws Exception {
    Said said = run("C", AS_LAUNCHED + command(ImportCommand.class, SIZE + " --table=t"));
    assertEquals(CommandLine.ExitCode.SOFTWARE, said.code(), said.text());
    assertTrue(said.text().contains("no such file"), said.text());
    assertTrue(said.text().contains("gr\u00F6\u00DFe.csv"), said.text());
  }

  /** In an installation of a release whose Java says its locale. */
  @Test
  void theLauncherStartsServersInALocaleOfUtf8() throws Exception {
    Path launcher = Files.createDirectories(directory.resolve("bin/lib")).resolveSibling("grampus");
    Files.copy(Path.of("../bin/grampus"), launcher);
    Files.copy(ENVIRONMENT, launcher.resolveSibling("lib/environment.sh"));
    Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        if [ "$1" = -version ]; then echo 'version "17"'; else echo "<$LC_ALL>"; fi
        """);
    assertTrue(java.toFile().setExecutable(true));
    String start = "JAVA_HOME=" + directory.resolve("java") + " bash " + launcher + " ";
    for (String mode : new String[] {"standalone", "regionserver"}) {
      assertEquals(new Said(0, "<C.UTF-8>\n"), run("C", start + mode));
    }
  }

  /** A locale that has UTF-8 already stays, and a machine without any is left as it is. */
  @Test
  void theLauncherSaysNothingOfLocales() throws Exception {
    String shown = "echo \"<${LC_ALL-unset}>\"";
    for (String locale : new String[] {null, "C", "POSIX"}) {
      assertEquals(new Said(0, "<C.UTF-8>\n"), run(locale, AS_LAUNCHED + shown));
      String none = AS_LAUNCHED.replace("utf8_locale", "would_be_utf8() { false; }; utf8_locale");
      String kept = locale == null ? "unset" : locale;
      assertEquals(new Said(0, "<" + kept + ">\n"), run(locale, none + shown));
    }
    assertEquals(new Said(0, "<C.utf8>\n"), run("C.utf8", AS_LAUNCHED + shown));
  }
}
