package org.grampus.mapreduce.download;

import static org.grampus.mapreduce.command.Arguments.require;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.grampus.engine.EngineException;
import org.grampus.engine.TableFileRequest;
import org.grampus.mapreduce.columns.FoundColumns;
import org.grampus.mapreduce.command.Arguments;
import org.grampus.mapreduce.command.InstallationRoot;
import org.grampus.mapreduce.command.KeyWarnings;
import org.grampus.mapreduce.command.Overrides;
import org.grampus.mapreduce.command.Sentence;
import org.grampus.mapreduce.files.StreamSink;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code grampus stream}: rows of a table for a program at the other end of a pipe. */
@Command(
    name = "stream",
    description = {
      "Writes rows of a table to standard output, as Arrow record batches in Arrow's streaming"
          + " format, in the order of their keys.",
      "The files of a snapshot are read without a server. Exit code 0: complete; 1: a sentence on"
          + " standard error says what failed, and the stream is a part; 2: wrong arguments."
    },
    mixinStandardHelpOptions = true)
public final class StreamCommand implements Callable<Integer> {
  private static final String FORMAT = "arrows";

  @Mixin private TableSource source;

  @Option(
      names = "--columns",
      paramLabel = "F:Q[=NAME[:TYPE]],...",
      description =
          "The columns, their names and types (docs/downloads.md); '*' takes the newest cell of each"
              + " column as it is, ':nokey' leaves the row key out. Default: the row key and the"
              + " columns that the files have, as bytes.")
  private String columns;

  @Mixin private RowSelection selection;

  @Mixin private Overrides overrides;

  @Spec private CommandSpec spec;

  private final OutputStream out;

  /**
   * A command that writes to a stream.
   *
   * @param out is not closed
   */
  public StreamCommand(OutputStream out) {
    this.out = out;
  }

  /** Runs it. */
  public static void main(String[] args) {
    OutputStream batches = new FileOutputStream(FileDescriptor.out);
    CommandLine command = commandLine(batches);
    command.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8)); // for --help
    System.setOut(System.err); // a line of a library would be in the midst of the batches
    int code = CommandLine.ExitCode.SOFTWARE;
    try {
      code = command.execute(args);
    } catch (Throwable t) { // an Error: threads that are left must not keep the process
      report(t);
    }
    System.exit(code);
  }

  /**
   * The command as it is run: whatever ends it is a last line of standard error with a sentence.
   *
   * @param out takes the batches, and is not closed
   */
  public static CommandLine commandLine(OutputStream out) {
    return new CommandLine(new StreamCommand(out))
        .setParameterExceptionHandler(
            (e, arguments) -> {
              say(e.getMessage() + " (grampus stream --help)");
              return CommandLine.ExitCode.USAGE;
            })
        .setExecutionExceptionHandler(
            (e, command, arguments) -> {
              report(e);
              return CommandLine.ExitCode.SOFTWARE;
            });
  }

  /** A defect: where it is, and a sentence behind it. */
  @SuppressWarnings("CatchAndPrintStackTrace") // there is no other place for it
  private static void report(Throwable defect) {
    defect.printStackTrace();
    say(defect.toString());
  }

  private static void say(String sentence) {
    System.err.println("grampus: " + sentence.replace('\n', ' '));
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      requireTogether();
      selection.require(columns, false);
      return stream(configuration(source.table()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), Sentence.of(e), e);
    } catch (IOException | EngineException e) {
      say(Sentence.of(e));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private void requireTogether() {
    Arguments.requireSpelled(spec);
    require(
        !source.throughServers() || !source.namesSnapshot(),
        "--server reads the live table, and no snapshot");
    source.requireColumns(columns != null);
    overrides.requireNoInput();
  }

  private Configuration configuration(TableName name) {
    Configuration conf = HBaseConfiguration.create();
    overrides.applyTo(conf);
    InstallationRoot.applyTo(conf);
    conf.set(TableInputFormat.INPUT_TABLE, name.getNameAsString());
    return conf;
  }

  private int stream(Configuration conf) throws IOException, InterruptedException {
    return source.read(
        conf,
        "stream",
        StreamCommand::say,
        read ->
            write(conf, columns != null ? columns : FoundColumns.mapping(conf, read.snapshot())));
  }

  private int write(Configuration conf, String mapping) throws IOException, InterruptedException {
    conf.set(
        TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(selection.scan(mapping)));
    KeyWarnings.print(conf, source.reader());
    TableFileRequest request = new TableFileRequest(mapping, FORMAT, null, false, null, false);
    TaskAttemptContext context = new TaskAttemptContextImpl(conf, new TaskAttemptID());
    try (ColumnsPartFile file = new ColumnsPartFile(request, new StreamSink(out))) {
      for (PartSplit part :
          DownloadInputFormat.parts(
              new JobContextImpl(conf, new JobID()), source.throughServers())) {
        new PartRows(context, new PartProgress(part), () -> 0).writeColumns(file);
      }
      file.finish();
    }
    return CommandLine.ExitCode.OK;
  }
}
