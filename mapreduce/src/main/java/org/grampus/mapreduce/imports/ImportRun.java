package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.Time;
import org.grampus.mapreduce.command.FailureNotes;
import org.grampus.mapreduce.command.JobConfiguration;
import org.grampus.mapreduce.command.JobFailure;
import org.grampus.mapreduce.command.JobRun;
import org.grampus.mapreduce.command.KeyWarnings;
import org.grampus.mapreduce.command.Sentence;
import org.grampus.mapreduce.settings.ReaderKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An import whose arguments are known: its table, its job, and what is said at the end.
 *
 * @param conf of the command
 * @param request what the job is to import
 * @param paths of files and directories, or patterns of them
 * @param families that the user has named
 * @param regions of a table that is created
 * @param staging directory of this import's column files, or null when rows are put
 */
@SuppressWarnings("ArrayRecordComponent") // one run is not compared with another
record ImportRun(
    Configuration conf,
    ImportRequest request,
    Path[] paths,
    List<String> families,
    int regions,
    Path staging) {
  private static final Logger LOG = LoggerFactory.getLogger(ImportRun.class);

  private static final double MIB = 1 << 20;

  /**
   * Runs the import.
   *
   * @return a sentence with what it has done
   * @throws IOException with a sentence, when it has not
   */
  String run(boolean quiet) throws IOException, InterruptedException {
    long begun = Time.monotonicNow();
    KeyWarnings.print(conf, ReaderKind.FILES);
    Job job = ImportJob.of(conf, request, paths);
    boolean created = prepareTable(job);
    OwnDirectory bad = OwnDirectory.of(request.badFileSystem(conf), request.badDirectory());
    FailureNotes notes = request.failures(conf);
    try {
      return staging == null ? summary(run(job, quiet), "", begun) : load(job, quiet, begun);
    } catch (IOException e) {
      throw created ? withTable(e) : e;
    } finally {
      notes.remove();
      bad.removeIfEmpty();
    }
  }

  /** A table that is new to the user should be no surprise after a failure. */
  private IOException withTable(IOException failure) {
    String table = "table " + request.table() + ", which this import has created, stays";
    return new IOException(Sentence.of(failure) + "; " + table, failure);
  }

  private boolean prepareTable(Job job) throws IOException {
    ImportFiles files = ImportFiles.of(job, request);
    List<byte[]> needed = new ArrayList<>(files.families());
    families.forEach(family -> needed.add(Bytes.toBytes(family)));
    KeySample sample = new KeySample(job, request);
    try (Connection connection = ConnectionFactory.createConnection(job.getConfiguration());
        Admin admin = connection.getAdmin()) {
      if (staging != null) {
        BulkImport.requirePossible(connection, staging);
      }
      return TargetTable.require(
          admin, request.table(), needed, () -> regions == 1 ? List.of() : sample.borders(regions));
    }
  }

  private String load(Job job, boolean quiet, long begun) throws IOException, InterruptedException {
    try (BulkImport bulk = BulkImport.of(job, request, staging)) {
      Counters counters = run(job, quiet);
      int files = bulk.load(counters).files();
      return summary(counters, String.format(Locale.ROOT, ", as %,d column files", files), begun);
    }
  }

  /** What the tasks have counted, all of which have succeeded. */
  private Counters run(Job job, boolean quiet) throws IOException, InterruptedException {
    ImportWatch watch = new ImportWatch(request.badMax());
    boolean succeeded = JobRun.run(job, quiet ? null : "import", watch);
    nameBadRecords();
    Counters counters = job.getCounters();
    if (succeeded && counters == null) {
      throw new IOException("the cluster has lost the counters of " + job.getJobID());
    }
    if (!succeeded || watch.isLost(counters) || hasNote()) {
      throw new IOException("the import failed: " + reason(job, watch));
    }
    return counters;
  }

  /** A list of bad records that cannot get its name is there all the same. */
  private void nameBadRecords() {
    try {
      BadRecords.nameLists(request.badFileSystem(conf), request.badDirectory());
    } catch (IOException e) {
      LOG.warn("some lists in {} have the names of attempts", request.badDirectory(), e);
    }
  }

  /** A note of this import says that a task has failed, and others may have left their part out. */
  private boolean hasNote() throws IOException {
    return JobConfiguration.isLocal(conf) && request.failures(conf).any() != null;
  }

  private String reason(Job job, ImportWatch watch) throws IOException, InterruptedException {
    FailureNotes.Note note = request.failures(conf).any();
    if (note != null) {
      return note.reason();
    }
    return watch.isLost()
        ? watch.badRecords()
            + " records are bad, more than --bad-max "
            + request.badMax()
            + "; they are in "
            + request.badDirectory()
        : JobFailure.of(job);
  }

  private String summary(Counters counters, String loaded, long begun) {
    ImportCounters done = ImportCounters.of(counters);
    String badRecords =
        done.badRecords() == 0
            ? ""
            : String.format(
                Locale.ROOT,
                "; bad records: %,d, in %s",
                done.badRecords(),
                request.badDirectory());
    return String.format(
        Locale.ROOT,
        "imported %,d rows, %,d cells into %s from %,.1f MiB in %.1f s%s%s",
        done.rows(),
        done.cells(),
        request.table(),
        done.bytes() / MIB,
        (Time.monotonicNow() - begun) / 1000.0,
        loaded,
        badRecords);
  }
}
