package org.grampus.mapreduce.imports;

import com.google.gson.JsonParseException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.InvalidInputException;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.files.Manifest;
import org.grampus.mapreduce.files.PartReport;
import org.grampus.mapreduce.row.RowMaker;
import org.grampus.mapreduce.source.RecordSource;
import org.grampus.mapreduce.source.RecordSources;
import org.grampus.mapreduce.source.SourceRecord;

/** The files of an import, before its job. */
final class ImportFiles {
  /** Files that are looked into for the families of a new table, spread over all. */
  private static final int FILES_MAX = 50;

  /** Records of each of them. */
  private static final int RECORDS_MAX = 100;

  private final Job job;
  private final ImportRequest request;
  private final List<FileStatus> files;

  private ImportFiles(Job job, ImportRequest request, List<FileStatus> files) {
    this.job = job;
    this.request = request;
    this.files = files;
  }

  /**
   * Looks for the files of a job.
   *
   * @throws IOException when there is none, or one has no format that is known, or a name that
   *     cannot be read
   */
  static ImportFiles of(Job job, ImportRequest request) throws IOException {
    LocalNames.requireSpelled(job.getConfiguration(), FileInputFormat.getInputPaths(job));
    List<FileStatus> files;
    try {
      files = new ImportInputFormat().files(job);
    } catch (InvalidInputException e) {
      throw new IOException("there is no such file: " + e.getProblems().get(0).getMessage(), e);
    }
    if (files.isEmpty()) {
      throw new IOException(
          "there are no files to import; names that begin with _ or . are not data");
    }
    ImportFiles all = new ImportFiles(job, request, files);
    all.requireFormats();
    return all;
  }

  private void requireFormats() throws IOException {
    for (FileStatus file : files) {
      FileFormat format =
          RecordSources.format(job.getConfiguration(), file.getPath(), request.source(null));
      if (format == FileFormat.SEQ && request.rows().key() != null) {
        throw new IOException(
            file.getPath() + " is a sequence file, whose rows have keys; leave --key out");
      }
      if (request.header() != null && format != FileFormat.CSV && format != FileFormat.TSV) {
        throw new IOException(file.getPath() + " is " + format + "; --header is of csv and tsv");
      }
    }
  }

  /**
   * Families that the mapping says; of files without one, those of the first records of some files,
   * but of sequence files, whose records have their own.
   */
  List<byte[]> families() throws IOException {
    Configuration conf = job.getConfiguration();
    if (request.rows().columns() != null) {
      return RowMakers.of(conf, request, files.get(0).getPath()).families(null);
    }
    List<FileStatus> looked = new ArrayList<>();
    for (FileStatus file : files) {
      if (RecordSources.format(conf, file.getPath(), request.source(null)) != FileFormat.SEQ) {
        looked.add(file);
      }
    }
    NavigableSet<byte[]> families = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    int sampled = Math.min(FILES_MAX, looked.size());
    for (int i = 0; i < sampled; i++) {
      addFamilies(looked.get((int) ((long) i * looked.size() / sampled)), families);
    }
    return List.copyOf(families);
  }

  private void addFamilies(FileStatus file, Set<byte[]> families) throws IOException {
    Configuration conf = job.getConfiguration();
    RowMaker rows = RowMakers.of(conf, request, file.getPath());
    FileSplit split = new FileSplit(file.getPath(), 0, file.getLen(), null);
    try (RecordSource source = RecordSources.open(conf, split, request.source(null))) {
      SourceRecord record = source.next();
      for (int i = 0; record != null && i < RECORDS_MAX; i++) {
        if (record.problem() == null) {
          families.addAll(rows.families(record.shape()));
        }
        record = source.next();
      }
    }
  }

  /** The mapping that the directory of a complete download says, or null. */
  static String mappingOfDownload(Configuration conf, Path[] paths) throws IOException {
    Set<String> mappings = new LinkedHashSet<>();
    for (Path path : paths) {
      FileSystem fs = path.getFileSystem(conf);
      Path manifest = new Path(path, Manifest.NAME);
      boolean isDownload = isDirectory(fs, path) && fs.exists(manifest);
      mappings.add(isDownload ? mapping(fs, manifest) : null);
    }
    if (mappings.size() > 1) {
      mappings.remove(null);
      throw new IOException(
          "the files are of different downloads, or not all of them: say with --columns what they"
              + " have, such as "
              + mappings.iterator().next());
    }
    return mappings.iterator().next();
  }

  /** HDFS denies a look below a file, and a pattern is no path of anything. */
  private static boolean isDirectory(FileSystem fs, Path path) throws IOException {
    try {
      return fs.getFileStatus(path).isDirectory();
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /** What a manifest says, whose files must all be there as they were written. */
  private static String mapping(FileSystem fs, Path path) throws IOException {
    Manifest manifest = readManifest(fs, path);
    if (manifest == null || manifest.columns() == null || manifest.files() == null) {
      throw new IOException(
          path
              + " is no manifest of a download; delete it, and say with --columns what files have");
    }
    for (PartReport part : manifest.files()) {
      Path file = new Path(path.getParent(), part.name());
      if (!fs.exists(file) || fs.getFileStatus(file).getLen() != part.bytes()) {
        throw new IOException(
            file
                + " is not the file of "
                + part.bytes()
                + " bytes that "
                + path
                + " says; the download is not complete");
      }
    }
    return manifest.columns();
  }

  private static Manifest readManifest(FileSystem fs, Path path) throws IOException {
    try {
      return Manifest.read(fs, path);
    } catch (JsonParseException e) {
      return null;
    }
  }
}
