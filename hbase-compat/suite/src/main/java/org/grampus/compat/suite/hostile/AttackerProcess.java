package org.grampus.compat.suite.hostile;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The test driver's end of {@link Attackers}. */
final class AttackerProcess implements AutoCloseable {
  private static final String NICENESS = "19";
  private static final long END_SECONDS = 10;

  private final Process process;
  private final BufferedReader from;
  private final BufferedWriter to;

  AttackerProcess(Victim victim) throws IOException {
    process =
        new ProcessBuilder(
                List.of(
                    "nice",
                    "-n",
                    NICENESS,
                    System.getProperty("java.home") + "/bin/java",
                    "-Xmx1500m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Attackers.class.getName(),
                    String.valueOf(victim.port()),
                    text(victim.small()),
                    text(victim.large()),
                    text(victim.wide())))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    from =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    to =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Makes what an attack sends; that is no part of it. */
  void prepare(Attack attack) throws IOException {
    ask(Attackers.PREPARE + attack.name(), Attackers.READY);
  }

  /** Attacks for this time, and returns what was moved. */
  Traffic run(int seconds) throws IOException {
    return Traffic.of(ask(Attackers.RUN + seconds, Attackers.DONE));
  }

  private String ask(String line, String answer) throws IOException {
    to.write(line);
    to.newLine();
    to.flush();
    String answered = from.readLine();
    if (answered == null || !answered.startsWith(answer)) {
      throw new IOException("the attackers answer " + answered + " to " + line);
    }
    return answered.substring(answer.length());
  }

  @Override
  public void close() throws IOException {
    to.close(); // the process ends with its input
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
