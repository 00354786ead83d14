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
      int from = 0;
      for (int row = 0; row < ROWS; row++) {
        int at = text.indexOf(row(row), from);
        assertTrue(at >= from, row(row) + " of " + options);
        assertEquals(-1, text.indexOf(row(row), at + 1), row(row) + " twice of " + options);
        from = at + 1;
      }
    }
    assertTrue(admin.listSnapshots().stream().noneMatch(s -> s.getTableName().equals(name)));
  }

  @Test
  void aStreamCanDoWithoutRowKeys() throws Exception {
    create(b(row(150)));
    fill(ROWS);
    String columns = "--columns=:nokey,f:q0=a:string";
    for (List<String> options : List.of(List.of(columns), List.of("--server", columns))) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertEquals("", said(0, out, options));
      byte[] stream = out.toByteArray();
      assertArrayEquals(END, Arrays.copyOfRange(stream, stream.length - END.length, stream.length));
      String text = new String(stream, StandardCharsets.ISO_8859_1);
      assertTrue(text.contains("value"), "values of " + options);
      assertEquals(-1, text.indexOf(row(20)), "a row key of " + options);
    }
  }

  @Test
  void keysWithoutEffectAreNamedOnStandardError() throws Exception {
    create();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertEquals(
        "grampus: warning: grampus.mapreduce.split has no effect: there is no such key",
        said(0, 1, out, List.of("--columns=" + COLUMNS, "-D", "grampus.mapreduce.split=4")));
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
    assertTrue(said(2, out, List.of("--nothing")).contains("--nothing"));
    String columns = "hbase.mapreduce.scan.columns";
    assertTrue(said(2, out, List.of("-D", columns + "=g:q")).contains("-D " + columns + " cannot"));
    assertTrue(said(2, out, List.of("--rows=b,a")).contains("grampus stream --help"));
    assertTrue(said(2, out, List.of("--columns=f:q0=a:short story")).contains("short story"));
  }

  /** What the command says on standard error: a sentence if it fails. */
  private String said(int code, OutputStream out, List<String> options) {
    return said(code, code == 0 ? 0 : 1, out, options);
  }

  private String said(int code, int count, OutputStream out, List<String> options) {
    List<String> arguments = new ArrayList<>(List.of(name.getNameAsString()));
    arguments.addAll(serverOptions());
    arguments.addAll(options);
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertEquals(code, StreamCommand.commandLine(out).execute(arguments.toArray(new String[0])));
    } finally {
      System.setErr(before);
    }
    List<String> sentences =
        said.toString(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.startsWith("grampus: "))
            .toList();
    assertEquals(count, sentences.size(), said.toString(StandardCharsets.UTF_8));
    return String.join("", sentences);
  }
}
