package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.Time;
import org.grampus.mapreduce.command.FailureNotes;
import org.grampus.mapreduce.command.JobConfiguration;
import org.grampus.mapreduce.command.JobRun;
import org.grampus.mapreduce.command.Sentence;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.row.RowMaker;
import org.grampus.mapreduce.row.RowOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code grampus import}: files into a table. */
@Command(
    name = "import",
    description = {
      "Puts the records of files into a table, which is created when it is missing. What an import"
          + " that was killed has left out, the same import puts there when it is run again.",
      "Exit code 0: all rows are there; 1: a sentence on standard error says what failed; 2: wrong"
          + " arguments."
    },
    mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {
  private static final double MIB = 1 << 20;
  private static final String FAMILY = "f";

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Files, directories or patterns, of any file system that Hadoop knows; without --table"
              + " the last one is the table.")
  private final List<String> arguments = new ArrayList<>();

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description = "The table, with its namespace where it is not 'default'.")
  private String table;

  @Option(
      names = "--format",
      converter = FormatConverter.class,
      description =
          "csv (RFC 4180), tsv (tabs, nothing quoted), jsonl, parquet, avro or seq (sequence files"
              + " of HBase's Export). Default: by the names of the files.")
  private FileFormat format;

  @Option(
      names = "--columns",
      paramLabel = "F:Q[=NAME[:TYPE]],...",
      description =
          "Columns of the table, with their names in the files and their types, as of a download"
              + " (docs/downloads.md). Default: what the manifest of a download says; otherwise"
              + " every column of the files as text.")
  private String columns;

  @Option(
      names = "--key",
      paramLabel = "COLUMN[:FORM],...",
      description =
          "Columns that make the row key (docs/imports.md). Default: the mapping's row key.")
  private String key;

  @Option(
      names = "--key-separator",
      paramLabel = "TEXT",
      defaultValue = "|",
      description = "Between the parts of --key. Default: ${DEFAULT-VALUE}")
  private String keySeparator;

  @Option(
      names = "--family",
      paramLabel = "F",
      split = ",",
      description =
          "The family of columns whose names have none, f by default. All families that are named"
              + " are those of a table that is created.")
  private final List<String> families = new ArrayList<>();

  @Option(
      names = "--header",
      paramLabel = "NAME",
      split = ",",
      description = "Names of the columns of csv and tsv files that have no header line.")
  private List<String> header;

  @Option(
      names = "--timestamp",
      paramLabel = "MS",
      description =
          "Timestamp of all cells. Default: their own where the files have one, otherwise the time"
              + " of this command.")
  private Long timestamp;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "1",
      description = "Regions of a table that is created, by keys of some of the records.")
  private int regions;

  @Option(
      names = "--bad",
      paramLabel = "DIR|URI",
      description = "Directory of records that no row can be made of. Default: TABLE.bad")
  private String bad;

  @Option(
      names = "--bad-max",
      paramLabel = "N",
      defaultValue = "0",
      description = "How many records may be bad. Default: ${DEFAULT-VALUE}")
  private long badMax;

  @Option(names = "--yarn", description = "Runs on the cluster that mapred-site.xml describes.")
  private boolean onYarn;

  @Option(names = "--quiet", description = "Shows no progress.")
  private boolean quiet;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Sets a configuration key; may be repeated.")
  private final Map<String, String> overrides = new LinkedHashMap<>();

  @Spec private CommandSpec spec;

  /** Runs the import. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new ImportCommand()).execute(args));
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      takeTable();
      requirePossible();
      Configuration conf = JobConfiguration.of(overrides, onYarn);
      Path[] paths = paths(conf);
      return run(conf, paths, request(conf, paths));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), Sentence.of(e), e);
    } catch (IOException e) {
      System.err.println("grampus: " + Sentence.of(e));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private void takeTable() {
    if (table == null) {
      require(arguments.size() > 1, "name files and, with --table or behind them, a table");
      table = arguments.remove(arguments.size() - 1);
    }
  }

  private void requirePossible() {
    require(regions > 0, "--regions needs a number above 0");
    require(badMax >= 0, "--bad-max needs a number from 0 on");
    require(timestamp == null || timestamp >= 0, "--timestamp needs a number from 0 on");
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private Path[] paths(Configuration conf) throws IOException {
    Path[] paths = new Path[arguments.size()];
    for (int i = 0; i < paths.length; i++) {
      Path path = new Path(arguments.get(i));
      paths[i] = path.getFileSystem(conf).makeQualified(path);
    }
    return paths;
  }

  private ImportRequest request(Configuration conf, Path[] paths) throws IOException {
    TableName name = TableName.valueOf(table);
    String mapping = columns != null ? columns : ImportFiles.mappingOfDownload(conf, paths);
    RowOptions rows =
        new RowOptions(
            mapping,
            key,
            keySeparator,
            families.isEmpty() ? FAMILY : families.get(0),
            timestamp == null ? Time.now() : timestamp,
            timestamp != null,
            ImportRequest.cellBytesMax(conf));
    RowMaker.of(rows); // refuses what cannot be
    Path directory = new Path(bad == null ? name.toString().replace(':', '.') + ".bad" : bad);
    Path qualified = directory.getFileSystem(conf).makeQualified(directory);
    return new ImportRequest(
        name, format, header, rows, qualified, badMax, UUID.randomUUID().toString());
  }

  private int run(Configuration conf, Path[] paths, ImportRequest request)
      throws IOException, InterruptedException {
    long begun = Time.monotonicNow();
    Job job = ImportJob.of(conf, request, paths);
    prepareTable(job, request, ImportFiles.of(job, request));
    FileSystem fs = request.badFileSystem(conf);
    BadRecords.clear(fs, request.badDirectory());
    try {
      ImportWatch watch = new ImportWatch(request.badMax());
      boolean succeeded = JobRun.run(job, quiet ? null : "import", watch);
      requireSuccess(job, succeeded, watch, request);
    } finally {
      removeNotes(fs, request, request.failures(conf));
    }
    ImportCounters done = ImportCounters.of(job.getCounters());
    System.out.println(summary(done, request, Time.monotonicNow() - begun));
    return CommandLine.ExitCode.OK;
  }

  private void prepareTable(Job job, ImportRequest request, ImportFiles files) throws IOException {
    List<byte[]> needed = new ArrayList<>(files.families());
    families.forEach(family -> needed.add(Bytes.toBytes(family)));
    KeySample sample = new KeySample(job, request);
    try (Connection connection = ConnectionFactory.createConnection(job.getConfiguration());
        Admin admin = connection.getAdmin()) {
      TargetTable.require(
          admin, request.table(), needed, () -> regions == 1 ? List.of() : sample.borders(regions));
    }
  }

  private static void requireSuccess(
      Job job, boolean succeeded, ImportWatch watch, ImportRequest request)
      throws IOException, InterruptedException {
    Counters counters = job.getCounters();
    if (succeeded && counters == null) {
      throw new IOException("the cluster has lost the counters of " + job.getJobID());
    }
    if (succeeded && !watch.isLost(counters)) {
      return;
    }
    throw new IOException("the import failed: " + reason(job, watch, request));
  }

  private static String reason(Job job, ImportWatch watch, ImportRequest request)
      throws IOException, InterruptedException {
    FailureNotes.Note note = request.failures(job.getConfiguration()).any();
    if (note != null) {
      return note.reason();
    }
    return watch.isLost()
        ? watch.badRecords()
            + " records are bad, more than --bad-max "
            + request.badMax()
            + "; they are in "
            + request.badDirectory()
        : job.getStatus().getFailureInfo();
  }

  /** A directory without bad records goes, too. */
  private static void removeNotes(FileSystem fs, ImportRequest request, FailureNotes notes)
      throws IOException {
    Path directory = request.badDirectory();
    fs.delete(notes.directory(), true);
    if (fs.exists(directory) && fs.listStatus(directory).length == 0) {
      fs.delete(directory, false);
    }
  }

  private static String summary(ImportCounters done, ImportRequest request, long millis) {
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
        "imported %,d rows, %,d cells into %s from %,.1f MiB in %.1f s%s",
        done.rows(),
        done.cells(),
        request.table(),
        done.bytes() / MIB,
        millis / 1000.0,
        badRecords);
  }

  /** Names of formats. */
  static final class FormatConverter implements CommandLine.ITypeConverter<FileFormat> {
    @Override
    public FileFormat convert(String name) {
      return FileFormat.of(name);
    }
  }
}
