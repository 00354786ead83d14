package org.grampus.mapreduce.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.mapreduce.Job;
import org.grampus.mapreduce.row.RowOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that Hadoop cannot list is no file that an import may leave out. */
class LocalNamesTest {
  /** Of no character set that a locale has: neither of UTF-8 nor of ASCII. */
  private static final String UNREADABLE = "gr\\366\\337e";

  @TempDir Path directory;

  @BeforeEach
  void write() throws Exception {
    Files.writeString(directory.resolve("a.csv"), "k\n1\n");
    Files.createDirectories(directory.resolve("below"));
    Files.writeString(directory.resolve("below/b.csv"), "k\n1\n");
  }

  /** A file whose name Java cannot write. */
  private void unreadable(String folder, String begin) throws Exception {
    String script = "printf 'k\\n2\\n' > \"$(printf '" + begin + UNREADABLE + ".csv')\"";
    Process shell =
        new ProcessBuilder("sh", "-c", script)
            .directory(directory.resolve(folder).toFile())
            .inheritIO()
            .start();
    assertEquals(0, shell.waitFor());
  }

  private void check(String... inputs) throws IOException {
    RowOptions rows = new RowOptions(null, "k", "|", "f", 1, null, false, 0);
    org.apache.hadoop.fs.Path bad = new org.apache.hadoop.fs.Path("file:///bad");
    ImportRequest request = new ImportRequest(TableName.valueOf("t"), null, null, rows, bad, 0);
    org.apache.hadoop.fs.Path[] paths = new org.apache.hadoop.fs.Path[inputs.length];
    for (int i = 0; i < inputs.length; i++) {
      paths[i] = new org.apache.hadoop.fs.Path("file://" + directory + inputs[i]);
    }
    Job job = ImportJob.of(new Configuration(), request, paths);
    ImportFiles.of(job, request);
  }

  private void refused(String... inputs) {
    String said = assertThrows(IOException.class, () -> check(inputs)).getMessage();
    assertTrue(said.contains("a name that this process cannot read"), said);
  }

  @Test
  void aNameThatCannotBeReadIsNotLeftOut() throws Exception {
    check("");
    unreadable("below", "");
    refused("");
    refused("/below");
    refused("/a.csv", "/below");
    refused("/below/g*");
    refused("/*");
    refused("/b*/*.csv");
    refused("/{a.csv,below/*}");
    check("/a.csv", "/below/b.csv");
    check("/below/b*.csv");
    check("/*.csv");
  }

  @Test
  void whatIsNoDataMayHaveAnyName() throws Exception {
    unreadable("", "_");
    unreadable("below", ".");
    check("");
    check("/*");
  }
}
