package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.grampus.mapreduce.download.StreamCommand;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Streams are complete or end with a sentence, and leave no snapshot. What is in them is read by
 * {@code perf-eval/scripts/downloads}, with Arrow's own library.
 */
class StreamTest extends DownloadCase {
  /** The mark of the end in Arrow's streaming format. */
  private static final byte[] END = {-1, -1, -1, -1, 0, 0, 0, 0};

  @Test
  void aStreamHasAllPartsAndItsEnd() throws Exception {
    create(b(row(150)), b(row(400)));
    fill(ROWS);
    for (List<String> options :
        List.of(
            List.<String>of(),
            List.of("--columns=" + COLUMNS),
            List.of("--server", "--columns=" + COLUMNS))) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertEquals("", said(0, out, options));
      byte[] stream = out.toByteArray();
      assertArrayEquals(END, Arrays.copyOfRange(stream, stream.length - END.length, stream.length));
      String text = new String(stream, StandardCharsets.ISO_8859_1);
      assertTrue(text.contains(row(0)) && text.contains(row(ROWS - 1)), options.toString());
    }
    assertTrue(admin.listSnapshots().stream().noneMatch(s -> s.getTableName().equals(name)));
  }

  @Test
  void whatFailsIsOneSentence() throws Exception {
    create();
    fill(ROWS);
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    assertTrue(said(1, closed, List.of("--columns=" + COLUMNS)).contains("Broken pipe"));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(said(1, out, List.of("--columns=f:q0=a:long")).contains("f:q0"));
    assertTrue(said(1, out, List.of("--snapshot=none")).contains("none"));
    assertTrue(admin.listSnapshots().stream().noneMatch(s -> s.getTableName().equals(name)));
    assertTrue(said(2, out, List.of("--server")).contains("--server needs --columns"));
    assertTrue(
        said(2, out, List.of("--server", "--columns=f:q0", "--snapshot=s"))
            .contains("no snapshot"));
  }

  /** What the command says on standard error. */
  private String said(int code, OutputStream out, List<String> options) {
    List<String> arguments = new ArrayList<>(List.of(name.getNameAsString()));
    arguments.addAll(serverOptions());
    arguments.addAll(options);
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      CommandLine command = new CommandLine(new StreamCommand(out));
      assertEquals(code, command.execute(arguments.toArray(new String[0])));
    } finally {
      System.setErr(before);
    }
    return said.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> code == 2 || line.startsWith("grampus: "))
        .findFirst()
        .orElse("");
  }
}
