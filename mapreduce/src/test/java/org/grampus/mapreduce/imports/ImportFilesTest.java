package org.grampus.mapreduce.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.security.AccessControlException;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.files.Manifest;
import org.grampus.mapreduce.row.RowOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What paths say of their columns, on a file system that is as strict as HDFS. */
class ImportFilesTest {
  /** Local files, {@code strict:///path}: a look below a file is denied, as by a name node. */
  public static final class StrictFileSystem extends RawLocalFileSystem {
    /** For Hadoop. */
    public StrictFileSystem() {}

    @Override
    public URI getUri() {
      return URI.create("strict:///");
    }

    @Override
    public String getScheme() {
      return "strict";
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      if (pathToFile(path.getParent()).isFile()) {
        throw new AccessControlException(path.getParent() + " (is not a directory)");
      }
      return super.getFileStatus(path);
    }

    /** As of other file systems; that of local disks asks Java. */
    @Override
    public boolean exists(Path path) throws IOException {
      try {
        return getFileStatus(path) != null;
      } catch (FileNotFoundException e) {
        return false;
      }
    }
  }

  @TempDir java.nio.file.Path directory;

  private String mapping(String... names) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("fs.strict.impl", StrictFileSystem.class.getName());
    Path[] paths = new Path[names.length];
    for (int i = 0; i < paths.length; i++) {
      paths[i] = new Path("strict://" + directory + "/" + names[i]);
    }
    return ImportFiles.mappingOfDownload(conf, paths);
  }

  @Test
  void aFileHasNoManifest() throws IOException {
    Files.writeString(directory.resolve("a.csv"), "k,v\n1,2\n");
    assertNull(mapping("a.csv"));
    assertNull(mapping("*.csv"));
    assertNull(mapping("a.csv", "missing"));
  }

  @Test
  void theDirectoryOfADownloadHasOne() throws IOException {
    Files.createDirectories(directory.resolve("d"));
    Configuration conf = new Configuration(false);
    Path manifest = new Path(directory.resolve("d").resolve(Manifest.NAME).toUri());
    Manifest.of("t", null, FileFormat.CSV, "f:a", List.of())
        .write(manifest.getFileSystem(conf), manifest);
    Files.writeString(directory.resolve("a.csv"), "k,v\n1,2\n");
    assertEquals("f:a", mapping("d"));
    assertThrows(IOException.class, () -> mapping("d", "a.csv"));
  }

  /** The table is made with them before a record is read. */
  @Test
  void filesOfSeveralFormatsHaveTheFamiliesOfAll() throws IOException {
    Files.writeString(directory.resolve("a.seq"), "its records have their own families");
    Files.writeString(directory.resolve("b.csv"), "key,g:a\n1,2\n");
    Files.writeString(directory.resolve("c.jsonl"), "{\"key\":\"2\",\"plain\":1}\n");
    Files.writeString(directory.resolve("d.seq"), "");
    RowOptions rows = new RowOptions(null, null, "|", "f", 7, null, false, 0);
    ImportRequest request =
        new ImportRequest(TableName.valueOf("t"), null, null, rows, new Path(directory.toUri()), 0);
    Job job = Job.getInstance(new Configuration());
    FileInputFormat.setInputPaths(job, new Path(directory.toUri()));
    List<byte[]> families = ImportFiles.of(job, request).families();
    assertEquals(List.of("f", "g"), families.stream().map(Bytes::toString).toList());
  }
}
