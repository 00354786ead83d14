package org.grampus.mapreduce.server;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/**
 * How a command has failed.
 *
 * @param code its exit code
 * @param sentence what it has said on standard error
 */
record Refusal(int code, String sentence) {
  /** Runs a command, which shall say a sentence. */
  static Refusal of(IntSupplier command) {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    int code;
    try {
      code = command.getAsInt();
    } finally {
      System.setErr(before);
    }
    String sentence =
        said.toString(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.startsWith("grampus: "))
            .findFirst()
            .orElseThrow();
    return new Refusal(code, sentence);
  }
}
