package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.mapreduce.load.ColumnFileLoader;
import org.junit.jupiter.api.Test;

/** Another loader takes files of an import, beside a split of one of its regions. */
class SharedLoadTest extends ImportCase {
  private static final int ROWS = 1000;
  private static final int MIDDLE = 500;

  private String[] options() throws IOException {
    StringBuilder text = new StringBuilder("k,f:v,g:v\n");
    for (int i = 0; i < ROWS; i++) {
      text.append(row(i)).append(",value").append(i).append(",more").append(i).append('\n');
    }
    Path file = file("a.csv", text.toString());
    return bulk(file.toString(), "--table=" + name, "--key=k");
  }

  /** The rows of the import from a number on. */
  private static List<String> from(int first) {
    List<String> rows = new ArrayList<>();
    for (int i = first; i < ROWS; i++) {
      String row = row(i);
      rows.add(
          String.join(
              " ", row + "/f:k!Put=" + row, row + "/f:v!Put=value" + i, row + "/g:v!Put=more" + i));
    }
    return rows;
  }

  /** The rows of the table with their values, without timestamps. */
  private List<String> loaded() throws IOException {
    return inOrder(name, new Scan()).stream().map(SharedLoadTest::withoutTimes).toList();
  }

  private static String withoutTimes(String row) {
    return row.replaceAll("@[0-9]+", "");
  }

  /** The directory that the import's job writes its files to. */
  private Path written() throws IOException {
    try (Stream<Path> imports = Files.list(stagingDirectory())) {
      return imports.map(own -> own.resolve("files")).findFirst().orElseThrow();
    }
  }

  /** The files of the regions from a row on, by their families. */
  private Map<byte[], List<org.apache.hadoop.fs.Path>> writtenFrom(String row) throws IOException {
    Map<byte[], List<org.apache.hadoop.fs.Path>> files = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (byte[] family : List.of(F, G)) {
      try (Stream<Path> found = Files.list(written().resolve(Bytes.toString(family)))) {
        for (Path file : found.filter(each -> isFrom(row, each)).toList()) {
          files
              .computeIfAbsent(family, none -> new ArrayList<>())
              .add(new org.apache.hadoop.fs.Path(file.toUri()));
        }
      }
    }
    return files;
  }

  private boolean isFrom(String row, Path file) {
    if (file.getFileName().toString().startsWith(".")) {
      return false;
    }
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
    try (HFile.Reader reader =
        HFile.createReader(
            FileSystem.getLocal(configuration()),
            path,
            CacheConfig.DISABLED,
            true,
            configuration())) {
      return Bytes.compareTo(reader.getFirstRowKey().orElseThrow(), b(row)) >= 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertRunAgainHasAll(String... options) throws IOException {
    assertEquals(0, importing(options));
    assertEquals(from(0), loaded());
    assertFalse(Files.exists(stagingDirectory()), "the staging directory is left");
  }

  /**
   * HBase's tool takes a file that is gone for one that is loaded, and asks for a cut of others.
   */
  @Test
  void filesThatAreGoneAreNotTakenForLoaded() throws Exception {
    create(b(row(MIDDLE)));
    String[] options = options();
    ToolFileSystem.once(
        () -> {
          splitOnTheWay(row(MIDDLE / 2));
          new BulkLoadHFilesTool(configuration()).bulkLoad(name, writtenFrom(row(MIDDLE)));
        });
    String refusal = importRefusal(onDisk(ToolFileSystem.class, options));
    assertFalse(ToolFileSystem.isAhead(), "no file was loaded");
    assertTrue(refusal.contains("run the import again"), refusal);
    assertTrue(refusal.contains("is gone, and it was not this load that took it"), refusal);
    assertEquals(from(MIDDLE), loaded(), "the other loader's");
    assertRunAgainHasAll(options);
  }

  /** The job's committer has not moved all files yet. */
  @Test
  void filesThatAreTakenWhileTheJobRunsAreMissed() throws Exception {
    create(b(row(MIDDLE)));
    String[] options = options();
    SplittingFileSystem.once(
        () -> {
          splitOnTheWay(row(MIDDLE / 2));
          org.apache.hadoop.fs.Path files = new org.apache.hadoop.fs.Path(written().toUri());
          assertTrue(new ColumnFileLoader(connection, name).load(files).files() > 0);
        });
    String refusal = importRefusal(onDisk(SplittingFileSystem.class, options));
    assertFalse(SplittingFileSystem.isAhead(), "no file was written");
    assertTrue(refusal.contains("written 4 column files"), refusal);
    assertTrue(refusal.contains("nothing is loaded"), refusal);
    assertNotEquals(List.of(), loaded(), "the other loader's");
    assertRunAgainHasAll(options);
  }
}
