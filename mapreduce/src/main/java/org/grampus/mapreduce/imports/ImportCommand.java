package org.grampus.mapreduce.imports;

import static org.grampus.mapreduce.command.Arguments.require;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.util.Time;
import org.grampus.mapreduce.command.Arguments;
import org.grampus.mapreduce.command.FormatConverter;
import org.grampus.mapreduce.command.JobOptions;
import org.grampus.mapreduce.command.Sentence;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.row.RowMaker;
import org.grampus.mapreduce.row.RowOptions;
import org.grampus.mapreduce.source.RecordSources;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
      "Exit code 0: every record is in the table or is listed as bad; 1: a sentence on standard"
          + " error says what failed; 2: wrong arguments."
    },
    mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {
  private static final String FAMILY = "f";

  private final String runName = RunName.next();

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
      names = "--zone",
      paramLabel = "ZONE",
      converter = ZoneConverter.class,
      description =
          "Zone of times that have none, such as UTC or Europe/Vienna. Without it they are no"
              + " values of the type timestamp.")
  private ZoneId zone;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "1",
      description = "Regions of a table that is created, by keys of some of the records.")
  private int regions;

  @Option(
      names = "--bad",
      paramLabel = "DIR|URI",
      description =
          "Directory of records that no row can be made of, with one for each import. Default:"
              + " TABLE.bad")
  private String bad;

  @Option(
      names = "--bad-max",
      paramLabel = "N",
      defaultValue = "0",
      description = "How many records may be bad. Default: ${DEFAULT-VALUE}")
  private long badMax;

  @Option(
      names = "--bulk",
      description =
          "Writes column files and loads them into the table at once, instead of putting rows. Not"
              + " for a stock HBase.")
  private boolean bulk;

  @Option(
      names = "--staging",
      paramLabel = "DIR|URI",
      description =
          "Where --bulk keeps its files until they are loaded: a directory on the file system of"
              + " hbase.rootdir, which the servers see as well. Default: TABLE.bulk")
  private String staging;

  @Mixin private JobOptions jobs;

  @Spec private CommandSpec spec;

  /** Runs the import. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new ImportCommand()).execute(args));
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      ImportRun run = run();
      System.out.println(run.run(jobs.isQuiet()));
      return CommandLine.ExitCode.OK;
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("grampus: " + Sentence.of(e));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** What the arguments say; everything wrong here is a usage error. */
  private ImportRun run() throws IOException {
    try {
      requirePossible();
      Configuration conf = jobs.configuration();
      takeTable(conf);
      Path[] paths = paths(conf);
      ImportRequest request = request(conf, paths);
      return new ImportRun(conf, request, paths, families, regions, staging(conf));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), Sentence.of(e), e);
    }
  }

  /** Without --table, the last argument. A file there means that the table was forgotten. */
  private void takeTable(Configuration conf) throws IOException {
    if (table != null) {
      return;
    }
    require(arguments.size() > 1, "name files and, with --table or behind them, a table");
    String last = arguments.remove(arguments.size() - 1);
    require(!isFile(conf, last), last + " is a file; name the table with --table");
    table = last;
  }

  private static boolean isFile(Configuration conf, String name) throws IOException {
    if (name.indexOf(TableName.NAMESPACE_DELIM) > 0 && !name.contains(Path.SEPARATOR)) {
      return false; // a namespace and a table
    }
    Path path = new Path(name);
    return RecordSources.hasFormat(conf, path) || path.getFileSystem(conf).exists(path);
  }

  private void requirePossible() {
    Arguments.requireSpelled(spec);
    require(regions > 0, "--regions needs a number above 0");
    require(badMax >= 0, "--bad-max needs a number from 0 on");
    require(timestamp == null || timestamp >= 0, "--timestamp needs a number from 0 on");
    require(bulk || staging == null, "--staging is where --bulk keeps its files; give both");
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
            zone,
            timestamp != null,
            ImportRequest.cellBytesMax(conf));
    RowMaker.of(rows); // refuses what cannot be
    Path ofRun = new Path(directory(conf, bad, "bad"), runName);
    return new ImportRequest(name, format, header, rows, ofRun, badMax);
  }

  /** Where column files wait, or null when rows are put. */
  private Path staging(Configuration conf) throws IOException {
    return bulk ? new Path(directory(conf, staging, "bulk"), runName) : null;
  }

  /** A directory as it is named, otherwise one of the table's name. */
  private Path directory(Configuration conf, String named, String end) throws IOException {
    Path path = new Path(named == null ? table.replace(':', '.') + "." + end : named);
    return path.getFileSystem(conf).makeQualified(path);
  }

  /** Names of zones. */
  static final class ZoneConverter implements CommandLine.ITypeConverter<ZoneId> {
    @Override
    public ZoneId convert(String name) {
      try {
        return ZoneId.of(name);
      } catch (DateTimeException e) {
        throw new CommandLine.TypeConversionException("there is no zone " + name);
      }
    }
  }
}
