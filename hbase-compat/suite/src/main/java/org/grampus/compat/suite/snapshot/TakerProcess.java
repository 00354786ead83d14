package org.grampus.compat.suite.snapshot;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;

/**
 * Another version of hbase-client as a child process, with a class path of its own: the jars of a
 * directory and this program's {@link TakerMain}, which uses nothing else of ours.
 */
final class TakerProcess implements SnapshotTaker {
  private final Process process;
  private final BufferedReader answers;
  private final BufferedWriter orders;

  private TakerProcess(Process process) {
    this.process = process;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.orders =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
  }

  static TakerProcess start(Path library, Configuration conf, TableName table) throws IOException {
    String own =
        Path.of(TakerMain.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .toString();
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-cp",
            own + File.pathSeparator + library.resolve("*"),
            TakerMain.class.getName(),
            conf.get(HConstants.ZOOKEEPER_QUORUM),
            conf.get(HConstants.ZOOKEEPER_CLIENT_PORT),
            table.getNameAsString());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    return new TakerProcess(builder.start());
  }

  @Override
  public void take(String snapshot) throws IOException {
    orders.write(snapshot);
    orders.newLine();
    orders.flush();
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.equals(TakerMain.DONE)) {
        return;
      }
      if (line.startsWith(TakerMain.FAILED)) {
        throw new IOException(line.substring(TakerMain.FAILED.length()));
      }
    }
    throw new IOException("the client's process ended");
  }

  @Override
  public void close() {
    process.destroy();
  }
}
