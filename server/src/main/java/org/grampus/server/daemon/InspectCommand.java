package org.grampus.server.daemon;

import com.google.gson.JsonObject;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.EngineException;
import org.grampus.engine.InspectRequest;
import org.grampus.engine.NativeInspector;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code grampus inspect}: what files consist of, and whether they are sound. */
@Command(
    name = "inspect",
    description =
        "Shows the structure of column files and log segments; verifies a file or everything below a"
            + " directory. Reads only; a running server does not mind.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:everything that was read is sound",
      "1:a file is damaged or cannot be read",
      "2:wrong arguments"
    })
final class InspectCommand implements Callable<Integer> {
  /** Cells that {@code --cells} without a number prints, as text because picocli wants it. */
  static final String CELLS = "100";

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description =
          "A column file, a log segment, or a directory: hbase.rootdir, or a table, region, family or log"
              + " directory below it, where every file is verified.")
  private List<Path> paths;

  @Option(names = "--json", description = "Prints a JSON document and a newline for each PATH.")
  private boolean json;

  @Option(
      names = "--cells",
      arity = "0..1",
      paramLabel = "N",
      parameterConsumer = OptionalNumber.class,
      description = "Prints the first N cells of a file, " + CELLS + " without a number.")
  private Long cells;

  @Option(
      names = "--row",
      paramLabel = "ROW",
      description = "Prints cells of this row only; bytes may be written as \\xNN.")
  private String row;

  @Option(
      names = "--verify",
      description = "Reads and checks everything in a file, as is always done below a directory.")
  private boolean verify;

  @Spec private CommandSpec command;

  @Override
  public Integer call() {
    boolean sound = true;
    for (Path path : paths) {
      sound &= inspect(path, command.commandLine().getOut(), command.commandLine().getErr());
    }
    return sound ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private boolean inspect(Path path, PrintWriter out, PrintWriter err) {
    try {
      JsonObject document = NativeInspector.inspect(request(path));
      if (json) {
        out.println(document);
      } else {
        new InspectText(out).print(document);
      }
      out.flush();
      return isSound(document);
    } catch (EngineException e) {
      err.println("grampus: " + e.getMessage());
      return false;
    }
  }

  private static boolean isSound(JsonObject document) {
    boolean directory = document.has("summary");
    return directory
        ? document.getAsJsonObject("summary").get("damaged").getAsLong() == 0
        : !document.has("damage");
  }

  private InspectRequest request(Path path) {
    Long listed = cells == null && row != null ? Long.valueOf(CELLS) : cells;
    return new InspectRequest(
        path.toString(), verify, listed, row == null ? null : Bytes.toBytesBinary(row));
  }

  /** Takes the next argument only if it is a number, so that a PATH may follow the option. */
  static final class OptionalNumber implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> arguments, ArgSpec option, CommandSpec command) {
      boolean number = !arguments.isEmpty() && arguments.peek().matches("[0-9]{1,18}");
      option.setValue(Long.valueOf(number ? arguments.pop() : CELLS));
    }
  }
}
