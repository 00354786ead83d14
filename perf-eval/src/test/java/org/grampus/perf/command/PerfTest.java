package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;
import org.grampus.perf.compare.Failures;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class PerfTest {
  @Test
  void everyCommandDescribesItselfAndItsOptions() {
    CommandLine perf = Perf.commandLine();
    perf.getSubcommands()
        .forEach(
            (name, command) -> {
              assertTrue(command.getCommandSpec().usageMessage().description().length > 0, name);
              command
                  .getCommandSpec()
                  .options()
                  .forEach(option -> assertTrue(option.description().length > 0, name));
            });
  }

  @Test
  void rowsOfTheComparisonAreNamedByOptionOrAlone() {
    CommandLine perf = Perf.commandLine();
    perf.parseArgs("compare", "--rows", "10", "--only", "get,scan", "put");
    CommandLine compare = perf.getSubcommands().get("compare");

    assertEquals(List.of("get", "scan"), compare.getCommandSpec().findOption("--only").getValue());
    assertEquals(List.of("put"), compare.getCommandSpec().positionalParameters().get(0).getValue());
  }

  /** Such as a comparison of which a goal is missed, with --require. */
  @Test
  void failureOfTheToolIsExitCodeOne() throws Exception {
    CommandLine perf = Perf.commandLine();
    Failures failures = new Failures(note -> {});
    failures.add("goals that are missed: get");
    ToolException failure = assertThrows(ToolException.class, failures::require);

    assertEquals(
        1,
        perf.getExecutionExceptionHandler()
            .handleExecutionException(failure, perf, perf.parseArgs("compare", "--require")));
  }

  @Test
  void jobsNameAllTheirWaysAndWorks() {
    CommandLine perf = Perf.commandLine();
    perf.parseArgs("jobs", "--ways", "batches,SNAPSHOT", "--works", "place");
    CommandLine jobs = perf.getSubcommands().get("jobs");
    String usage = jobs.getUsageMessage().replaceAll("\\s+", " ");

    assertEquals(
        List.of(JobWay.BATCHES, JobWay.SNAPSHOT),
        jobs.getCommandSpec().findOption("--ways").getValue());
    assertEquals(List.of(KnownWork.PLACE), jobs.getCommandSpec().findOption("--works").getValue());
    Stream.of(JobWay.values()).forEach(way -> assertTrue(usage.contains(way.name()), way.name()));
    Stream.of(KnownWork.values())
        .forEach(work -> assertTrue(usage.contains(work.name()), work.name()));
    assertTrue(usage.contains("1.2 % of"), usage);
  }

  @Test
  void unknownOptionIsAnErrorOfTheCaller() {
    StringWriter error = new StringWriter();
    CommandLine perf = Perf.commandLine().setErr(new PrintWriter(error));

    assertEquals(CommandLine.ExitCode.USAGE, perf.execute("compare", "--nothing"));
    assertTrue(error.toString().contains("--nothing"), error.toString());
  }

  @Test
  void comparisonOfNothingIsAnErrorOfTheCaller() {
    StringWriter error = new StringWriter();
    CommandLine perf = Perf.commandLine().setErr(new PrintWriter(error));

    assertEquals(CommandLine.ExitCode.USAGE, perf.execute("compare", "--rounds", "0"));
    assertTrue(error.toString().contains("0 is less than 1"), error.toString());
  }
}
