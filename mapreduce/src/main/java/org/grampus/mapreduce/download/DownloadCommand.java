package org.grampus.mapreduce.download;

import static org.grampus.mapreduce.command.Arguments.require;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.Time;
import org.grampus.engine.EngineException;
import org.grampus.mapreduce.columns.FoundColumns;
import org.grampus.mapreduce.columns.ReadSnapshot;
import org.grampus.mapreduce.command.Arguments;
import org.grampus.mapreduce.command.FailureNotes;
import org.grampus.mapreduce.command.FormatConverter;
import org.grampus.mapreduce.command.JobFailure;
import org.grampus.mapreduce.command.JobOptions;
import org.grampus.mapreduce.command.JobRun;
import org.grampus.mapreduce.command.KeyWarnings;
import org.grampus.mapreduce.command.Sentence;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.files.FreshName;
import org.grampus.mapreduce.files.Manifest;
import org.grampus.mapreduce.input.ReadCounters;
import org.grampus.mapreduce.keys.JobKeys;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code grampus download}: rows of a table as files that other programs read. */
@Command(
    name = "download",
    description = {
      "Writes rows of a table as typed columns: a file for each split, and _SUCCESS once all are"
          + " complete.",
      "The files of a snapshot are read without a server. Exit code 0: complete; 1: a sentence on"
          + " standard error says what failed; 2: wrong arguments."
    },
    mixinStandardHelpOptions = true)
public final class DownloadCommand implements Callable<Integer> {
  private static final String ALL_CELLS = "*";
  private static final double MIB = 1 << 20;

  @Mixin private TableSource source;

  @Option(
      names = "--to",
      paramLabel = "DIR|URI",
      required = true,
      description = "An empty or new directory, of any file system that Hadoop knows.")
  private String directory;

  @Option(
      names = "--format",
      required = true,
      converter = FormatConverter.class,
      description =
          "parquet, avro, csv (RFC 4180), tsv (tabs, nothing quoted), jsonl or seq (sequence files"
              + " as of HBase's Export).")
  private FileFormat format;

  @Option(
      names = "--columns",
      paramLabel = "F:Q[=NAME[:TYPE]],...",
      description =
          "The columns, their names and types (docs/downloads.md); '*' takes the newest cell of each"
              + " column as it is. Default: the columns that the files have, as bytes; of seq '*'.")
  private String columns;

  @Option(
      names = "--direct",
      description = "Reads the files of a snapshot, and asks no server for rows: the default.")
  private boolean direct;

  @Mixin private RowSelection selection;

  @Option(
      names = "--splits",
      paramLabel = "N",
      description =
          "How many parts, of about equal bytes. Default: one for each region, and one for each GiB"
              + " of a region that has more; with --server one for each region.")
  private Integer splits;

  @Option(
      names = "--merge",
      description = "One file at the end, TABLE.FORMAT, instead of one for each part.")
  private boolean merged;

  @Option(
      names = "--compression",
      paramLabel = "CODEC",
      description =
          "parquet: zstd (default), snappy, none; avro: deflate (default), snappy, none; seq:"
              + " deflate (default), none.")
  private String codec;

  @Option(
      names = "--resume",
      description = "Goes on with an unfinished download of a named snapshot, or with --server.")
  private boolean resumed;

  @Mixin private JobOptions jobs;

  @Spec private CommandSpec spec;

  /** When the command began, by the monotonic clock in ms. */
  private long begun;

  /** Runs the download. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new DownloadCommand()).execute(args));
  }

  @Override
  public Integer call() throws InterruptedException {
    begun = Time.monotonicNow();
    try {
      requireTogether();
      TableName name = source.table();
      selection.require(columns, true);
      return download(configuration(), name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), Sentence.of(e), e);
    } catch (IOException | EngineException e) {
      System.err.println("grampus: " + Sentence.of(e));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** Refuses options that do not go together. */
  private void requireTogether() {
    Arguments.requireSpelled(spec);
    require(
        !source.throughServers() || (!direct && !source.namesSnapshot()),
        "--server reads the live table, and neither files nor a snapshot");
    source.requireColumns(columns != null || format == FileFormat.SEQ);
    require(
        !resumed || source.outlivesRun(),
        "--resume needs --snapshot: what a download took for itself is gone");
    require(
        codec == null || !format.codecs().isEmpty(), "--compression is of parquet, avro and seq");
    require(
        codec == null || format.codecs().contains(codec),
        "--compression " + codec + " is none of " + format + ", which has " + format.codecs());
    require(splits == null || splits > 0, "--splits needs a number above 0");
    jobs.requireNoInput();
  }

  private Configuration configuration() {
    Configuration conf = jobs.configuration();
    if (splits != null) {
      conf.setInt(JobKeys.SPLITS, splits);
    }
    return conf;
  }

  private int download(Configuration conf, TableName name)
      throws IOException, InterruptedException {
    return source.read(
        conf,
        "download",
        sentence -> System.err.println("grampus: " + sentence),
        read -> {
          if (read != null) {
            read.removeAtEndOf(conf);
            DownloadRequest.noteSnapshot(conf, read.snapshot());
          }
          return run(conf, request(conf, name, mapping(conf, read)));
        });
  }

  private String mapping(Configuration conf, ReadSnapshot read) throws IOException {
    if (columns != null) {
      return columns;
    }
    return format == FileFormat.SEQ ? ALL_CELLS : FoundColumns.mapping(conf, read.snapshot());
  }

  private DownloadRequest request(Configuration conf, TableName name, String mapping)
      throws IOException {
    Path path = new Path(directory);
    Path qualified = path.getFileSystem(conf).makeQualified(path);
    List<String> codecs = format.codecs();
    return new DownloadRequest(
        new DownloadLayout(qualified, format, FreshName.next()),
        name,
        mapping,
        codec != null || codecs.isEmpty() ? codec : codecs.get(0),
        source.throughServers(),
        merged);
  }

  private int run(Configuration conf, DownloadRequest request)
      throws IOException, InterruptedException {
    Scan scan = selection.scan(request.mapping());
    conf.set(TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(scan));
    request.write(conf);
    KeyWarnings.print(conf, source.reader());
    DownloadDirectory files = new DownloadDirectory(conf, request.layout());
    if (resumed) {
      files.resume(request.wanted(conf));
    } else {
      files.begin();
    }
    return run(DownloadJob.of(conf, request), request, files);
  }

  private int run(Job job, DownloadRequest request, DownloadDirectory files)
      throws IOException, InterruptedException {
    boolean resumable = source.outlivesRun();
    boolean succeeded = false;
    try {
      succeeded = JobRun.run(job, jobs.isQuiet() ? null : "download", DownloadCommand::shown);
      if (succeeded) {
        System.out.println(said(job, request, Time.monotonicNow() - begun));
        return CommandLine.ExitCode.OK;
      }
      FailureNotes.Note reason = files.failures().any();
      throw new IOException(
          "the download failed: "
              + (reason == null ? JobFailure.of(job) : reason)
              + (resumable ? "; what is complete is kept for --resume" : ""));
    } finally {
      if (!succeeded && !resumable) {
        abandon(files);
      }
    }
  }

  /** What has failed before is what counts. */
  private static void abandon(DownloadDirectory files) {
    try {
      files.abandon();
    } catch (IOException e) {
      System.err.println("grampus: what was begun could not be removed: " + Sentence.of(e));
    }
  }

  private static String shown(Counters counters, double seconds) {
    long rows = counters.findCounter(DownloadMapper.COUNTERS, DownloadMapper.ROWS).getValue();
    long bytes = counters.findCounter(DownloadMapper.COUNTERS, DownloadMapper.BYTES).getValue();
    return String.format(
        Locale.ROOT, " %,d rows, %,.0f MiB, %,.0f rows/s", rows, bytes / MIB, rows / seconds);
  }

  /** The download is complete, whether or not its manifest can be read now. */
  private static String said(Job job, DownloadRequest request, long millis) {
    try {
      return summary(job, request, millis);
    } catch (IOException | RuntimeException e) {
      return "downloaded to "
          + request.layout().directory()
          + ", whose rows cannot be counted now: "
          + Sentence.of(e);
    }
  }

  private static String summary(Job job, DownloadRequest request, long millis) throws IOException {
    DownloadLayout layout = request.layout();
    Manifest manifest = Manifest.read(layout.fileSystem(job.getConfiguration()), layout.manifest());
    return String.format(
        Locale.ROOT,
        "downloaded %,d rows, %,.1f MiB to %s in %.1f s%s",
        manifest.rows(),
        manifest.bytes() / MIB,
        layout.directory(),
        millis / 1000.0,
        request.throughServers() ? "" : read(job.getCounters()));
  }

  /** What this run has read; nothing when the cluster has lost the job's counters. */
  private static String read(Counters counters) {
    return counters == null
        ? ""
        : String.format(
            Locale.ROOT,
            "; read %,.1f MiB of the snapshot's files and skipped %,.1f MiB",
            counters.findCounter(ReadCounters.GROUP, ReadCounters.BYTES_READ).getValue() / MIB,
            counters.findCounter(ReadCounters.GROUP, ReadCounters.BYTES_SKIPPED).getValue() / MIB);
  }
}
