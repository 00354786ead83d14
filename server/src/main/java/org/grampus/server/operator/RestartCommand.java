package org.grampus.server.operator;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;

/**
 * What restarts a region server, wherever it runs: a program with its arguments, for example {@code
 * ssh {host} systemctl restart grampus-regionserver}.
 *
 * @param command whose words {@code {host}} and {@code {port}} stand for the server's, also within
 *     a word
 */
record RestartCommand(List<String> command) {
  RestartCommand {
    command = List.copyOf(command);
  }

  /** Its words for a server. */
  List<String> of(ServerName server) {
    return command.stream()
        .map(word -> word.replace("{host}", server.getHostname()))
        .map(word -> word.replace("{port}", String.valueOf(server.getPort())))
        .toList();
  }

  /**
   * Runs it, with this process's input and output, and waits for its end.
   *
   * @throws IOException when it cannot be started, or its exit code is not 0
   */
  void run(ServerName server) throws IOException, InterruptedException {
    List<String> words = of(server);
    int code = new ProcessBuilder(words).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException(String.join(" ", words) + " ended with exit code " + code);
    }
  }
}
