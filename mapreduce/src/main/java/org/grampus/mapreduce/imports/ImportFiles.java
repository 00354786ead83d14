package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.InvalidInputException;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.files.Manifest;
import org.grampus.mapreduce.row.RowMaker;
import org.grampus.mapreduce.source.RecordSource;
import org.grampus.mapreduce.source.RecordSources;
import org.grampus.mapreduce.source.SourceRecord;

/** The files of an import, before its job. */
final class ImportFiles {
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
   * @throws IOException when there is none, or one has no format that is known
   */
  static ImportFiles of(Job job, ImportRequest request) throws IOException {
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

  /** Families that the columns say; of files without a mapping, those of the first record. */
  List<byte[]> families() throws IOException {
    Configuration conf = job.getConfiguration();
    Path path = files.get(0).getPath();
    RowMaker rows = RowMakers.of(conf, request, path);
    if (rows.columns() != null) {
      return rows.families(null);
    }
    FileSplit split = new FileSplit(path, 0, files.get(0).getLen(), null);
    try (RecordSource source = RecordSources.open(conf, split, request.source(null))) {
      SourceRecord record = source.next();
      return record == null || record.problem() != null ? List.of() : rows.families(record.shape());
    }
  }

  /** The mapping that the directory of a complete download says, or null. */
  static String mappingOfDownload(Configuration conf, Path[] paths) throws IOException {
    Set<String> mappings = new LinkedHashSet<>();
    for (Path path : paths) {
      FileSystem fs = path.getFileSystem(conf);
      Path manifest = new Path(path, Manifest.NAME);
      mappings.add(fs.exists(manifest) ? Manifest.read(fs, manifest).columns() : null);
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
}
