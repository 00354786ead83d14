package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class InspectCommandTest {
  private static final Path TEST_DATA =
      Path.of(System.getProperty("grampus.testdata", "../native/testdata"));

  @TempDir Path root;

  private Path columnFile;
  private Path log;
  private String out;
  private String err;

  /** A root directory with a column file and a log segment. */
  @BeforeEach
  void makeRoot() throws IOException {
    columnFile = root.resolve("data/default/t/0a/f/0123456789abcdef0123456789abcdef");
    log = root.resolve("WALs/server,1,2/server.1");
    Files.createDirectories(columnFile.getParent());
    Files.createDirectories(log.getParent());
    Files.copy(TEST_DATA.resolve("colfile/v2/snappy.colfile"), columnFile);
    Files.copy(TEST_DATA.resolve("wal/v1/two_regions.wal"), log);
  }

  /** Runs the command and returns its exit code. */
  private int inspect(Object... arguments) {
    StringWriter outText = new StringWriter();
    StringWriter errText = new StringWriter();
    int code =
        new CommandLine(new InspectCommand())
            .setOut(new PrintWriter(outText))
            .setErr(new PrintWriter(errText))
            .execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    out = outText.toString();
    err = errText.toString();
    return code;
  }

  private JsonObject json(Object... arguments) {
    Object[] all = Stream.concat(Stream.of("--json"), Arrays.stream(arguments)).toArray();
    assertEquals(0, inspect(all), err);
    return JsonParser.parseString(out).getAsJsonObject();
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  private void assertPrinted(String text) {
    assertTrue(out.contains(text), () -> "no \"" + text + "\" in\n" + out);
  }

  @Test
  void aColumnFileIsShownAsText() {
    assertEquals(0, inspect("--verify", columnFile), err);
    assertPrinted(columnFile + ": column file, ");
    assertPrinted("first row       row0000");
    assertPrinted("last row        row0299");
    assertPrinted("SNAPPY x ");
    assertPrinted("decimal");
    assertPrinted("rowKeys");
    assertTrue(out.endsWith("verified\n"), out);
  }

  @Test
  void aColumnFileIsShownAsJson() throws IOException {
    JsonObject file = json(columnFile);
    assertEquals("columnFile", file.get("kind").getAsString());
    assertEquals(300, file.get("rows").getAsLong());
    assertEquals(4712, file.get("maxSequence").getAsLong());
    assertTrue(file.get("major").getAsBoolean());
    assertEquals(2, file.getAsJsonArray("compactionInputs").size());
    assertEquals(Files.size(columnFile), file.get("bytes").getAsLong());
    assertFalse(file.get("verified").getAsBoolean());
    assertFalse(file.has("cellList"));
  }

  @Test
  void cellsAreShownUpToANumberThatMayBeLeftOut() {
    assertEquals(3, json("--cells", 3, columnFile).getAsJsonArray("cellList").size());
    assertEquals(3, json("--cells=3", columnFile).getAsJsonArray("cellList").size());
    assertEquals(100, json("--cells", columnFile).getAsJsonArray("cellList").size());
    assertEquals(0, inspect("--cells", 3, columnFile), err);
    assertPrinted("row0000/constant/100/Put seqid=");
    assertPrinted("there are more");
  }

  @Test
  void cellsOfARowAreShown() {
    JsonArray cells = json("--row", "row\\x30003", columnFile).getAsJsonArray("cellList");
    assertFalse(cells.isEmpty());
    cells.forEach(cell -> assertEquals("row0003", cell.getAsJsonObject().get("row").getAsString()));
  }

  @Test
  void aLogSegmentIsShownAsTextAndJson() {
    assertEquals(0, inspect("--cells", 10, log), err);
    assertPrinted("records         2, 3 cells");
    assertPrinted("closed in order");
    assertPrinted("row1/f:q/1700000000000/Put seqid=7 value=value");
    JsonObject document = json(log);
    assertEquals("closed", document.get("end").getAsString());
    assertEquals(2, document.getAsJsonArray("regions").size());
  }

  @Test
  void aTornTailIsShownAndIsNoDamage() throws IOException {
    byte[] bytes = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(bytes, bytes.length - 1));
    assertEquals(0, inspect(log), err);
    assertPrinted("a torn tail begins at byte " + (bytes.length - 33));
    assertEquals(0, inspect(root), err);
    assertPrinted("1 with a torn tail");
  }

  @Test
  void aDamagedFileIsOneLineWithFileAndOffsetAndExitCode1() throws IOException {
    flip(columnFile, 40);
    assertEquals(1, inspect("--verify", columnFile));
    assertEquals(1, out.lines().count(), out);
    assertPrinted(columnFile + " is corrupt in the page at offset 8");
    flip(log, 60);
    assertEquals(1, inspect("--json", columnFile, log));
    List<String> documents = out.lines().toList();
    assertEquals(2, documents.size(), out);
    String damage =
        JsonParser.parseString(documents.get(1)).getAsJsonObject().get("damage").getAsString();
    assertTrue(damage.contains(log + " is damaged at byte 32"), damage);
  }

  @Test
  void aRootIsVerifiedAndSummarised() throws IOException {
    Path reference = columnFile.resolveSibling("00ff.0a0b");
    Files.write(reference, new byte[] {'P', 'B', 'U', 'F'});
    assertEquals(0, inspect(root), err);
    assertPrinted(reference + ": skipped: a reference to 00ff of region 0a0b");
    assertPrinted("column files    1, ");
    assertPrinted("log segments    1, ");
    assertPrinted("damaged         0");
    JsonObject document = json(root);
    assertEquals(3, document.getAsJsonArray("files").size());
    flip(columnFile, (int) Files.size(columnFile) - 1);
    assertEquals(1, inspect(root));
    assertPrinted("damaged: " + columnFile);
    assertPrinted("damaged         1");
  }

  @Test
  void wrongArgumentsAndUnknownPathsAreRefused() {
    assertEquals(2, inspect());
    assertEquals(2, inspect("--colour", columnFile));
    assertEquals(1, inspect(root.resolve("nothing")));
    assertTrue(err.contains("nothing"), err);
    assertEquals(1, inspect("--cells", root));
    assertTrue(err.contains("is a directory"), err);
  }
}
