package org.grampus.perf.command;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.Leftovers;
import org.grampus.perf.result.Commit;
import org.grampus.perf.result.Machine;
import org.grampus.perf.result.Result;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands share: a working directory that goes at the end, and a result. */
@Command(mixinStandardHelpOptions = true)
abstract class MeasuringCommand implements Callable<Integer> {
  /** Of the start: some commands send away what clients print. */
  private static final PrintStream NOTES = System.err;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the result goes as JSON. Default: build/results")
  private Path out;

  @Spec private CommandSpec spec;

  private final Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private Checkout checkout;
  private Path work;

  /** Measures, prints and writes the result; an exception says what failed. */
  protected abstract void measure() throws Exception;

  @Override
  public final Integer call() throws Exception {
    checkout = Checkout.find();
    work = Leftovers.directory(checkout, spec.name());
    measure();
    return 0;
  }

  /** Where the tool runs. */
  protected final Checkout checkout() {
    return checkout;
  }

  /** Servers and logs go below it. */
  protected final Path work() {
    return work;
  }

  /** Says how far it is, beside the output proper. */
  protected static void note(String sentence) {
    NOTES.println("grampus: " + sentence);
  }

  /** Writes the result of this command and says where it is. */
  protected final void write(Map<String, Object> settings, List<Run> runs) throws Exception {
    Path directory = out == null ? checkout.build().resolve("results") : out;
    note("result: " + result(settings, runs).write(directory));
  }

  /** A directory for a result of several files: the one that was named, or a new one. */
  protected final Path outOr(String name) {
    String date = began.toString().replace(":", "").replace("Z", "");
    return out == null ? checkout.build().resolve("results").resolve(name + "-" + date) : out;
  }

  /** The result of this command. */
  protected final Result result(Map<String, Object> settings, List<Run> runs)
      throws IOException, InterruptedException {
    List<String> typed = spec.root().commandLine().getParseResult().originalArgs();
    return new Result(
        Result.SCHEMA,
        String.join(" ", typed),
        began.toString(),
        Commit.of(checkout.home()),
        Machine.here(),
        settings,
        runs);
  }
}
