package org.grampus.mapreduce.download;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.mapreduce.files.BadReportException;
import org.grampus.mapreduce.files.PartReport;

/**
 * Complete files, each with its report, until they are moved to the directory of the download. A
 * file counts if its report is there and says its length.
 *
 * @param fs of all directories
 * @param done where files and reports are
 * @param last where files go at the end
 */
record DoneFiles(FileSystem fs, Path done, Path last) {
  private Path reportOf(String name) {
    return new Path(done, DownloadLayout.reportName(name));
  }

  /** Whether a file counts. */
  boolean has(String name) throws IOException {
    try {
      report(name);
      return true;
    } catch (FileNotFoundException | BadReportException e) {
      return false;
    }
  }

  /**
   * The report of a file.
   *
   * @throws FileNotFoundException when the report or the file is missing
   * @throws BadReportException when the report says something else
   */
  PartReport report(String name) throws IOException {
    PartReport report = PartReport.read(fs, reportOf(name));
    Path file = new Path(done, name);
    FileStatus status = fs.getFileStatus(fs.exists(file) ? file : new Path(last, name));
    if (!report.name().equals(name) || status.getLen() != report.bytes()) {
      throw new BadReportException(
          status.getPath() + " has " + status.getLen() + " bytes, not " + report.bytes());
    }
    return report;
  }

  /** Takes the files of a directory that have reports; each counts once it is there as a whole. */
  void take(Path attempt) throws IOException {
    for (FileStatus status : fs.listStatus(attempt, DoneFiles::isReport)) {
      PartReport report = PartReport.read(fs, status.getPath());
      fs.mkdirs(done);
      fs.delete(reportOf(report.name()), false); // it is another file's from here on
      move(new Path(attempt, report.name()), new Path(done, report.name()));
      move(status.getPath(), reportOf(report.name()));
    }
    fs.delete(attempt, true);
  }

  private static boolean isReport(Path path) {
    return path.getName().endsWith(DownloadLayout.reportName(""))
        && !path.getName().startsWith(".");
  }

  /** Moves a file that counts to where it goes at the end, unless it is there. */
  void moveLast(PartReport report) throws IOException {
    Path file = new Path(done, report.name());
    Path moved = new Path(last, report.name());
    if (fs.exists(file)) {
      move(file, moved);
    } else if (!fs.exists(moved)) {
      throw new IOException(moved + " is gone, and was complete");
    }
  }

  /** Removes the files that count from where they go at the end. */
  void withdraw() throws IOException {
    if (fs.exists(done)) {
      for (FileStatus status : fs.listStatus(done, DoneFiles::isReport)) {
        fs.delete(new Path(last, PartReport.read(fs, status.getPath()).name()), false);
      }
    }
  }

  /** In place of what an attempt that failed may have left there. */
  private void move(Path from, Path to) throws IOException {
    fs.delete(to, false);
    if (!fs.rename(from, to)) {
      throw new IOException("cannot move " + from + " to " + to);
    }
  }
}
