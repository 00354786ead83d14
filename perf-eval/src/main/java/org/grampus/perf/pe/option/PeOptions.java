package org.grampus.perf.pe.option;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command line: HBase's options under HBase's names with HBase's defaults, and ours. Of an
 * option that comes again the last one counts. Does not change once it is parsed.
 */
@CommandLine.Command(
    name = "pe",
    sortOptions = false,
    usageHelpWidth = 120,
    usageHelpAutoWidth = false,
    customSynopsis = "Usage: pe [OPTIONS] [-D<property=value>]* <command|class> <nclients>")
public final class PeOptions {
  /** More clients in one process than HBase's class allows by its usage. */
  private static final int CLIENTS_USUAL_MAX = 500;

  @Mixin private final ClientOptions clients = new ClientOptions();
  @Mixin private final RowOptions rows = new RowOptions();
  @Mixin private final MeasureOptions measure = new MeasureOptions();
  @Mixin private final PaceOptions pace = new PaceOptions();
  @Mixin private final ValueOptions values = new ValueOptions();
  @Mixin private final TableOptions table = new TableOptions();
  @Mixin private final WriteOptions writes = new WriteOptions();
  @Mixin private final ReadOptions reads = new ReadOptions();
  @Mixin private final IgnoredOptions ignored = new IgnoredOptions();

  @Option(
      names = "--commandPropertiesFile",
      paramLabel = "FILE",
      description = "Properties of a class of your own, a file on the class path")
  private String propertiesFile;

  @Option(
      names = "-D",
      paramLabel = "property=value",
      description = "A property of the configuration")
  private final Map<String, String> properties = new LinkedHashMap<>();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This help")
  private boolean help;

  @Parameters(
      index = "0",
      paramLabel = "command|class",
      description = "A test, or the name of a class that extends RowTest")
  private String name;

  @Parameters(
      index = "1",
      paramLabel = "nclients",
      description = "Total number of clients running, 1 or more")
  private int clientCount;

  private final Set<String> given = new TreeSet<>();
  private List<String> arguments = List.of();

  private PeOptions() {}

  /** What parses arguments, for its usage. */
  public static CommandLine commandLine() {
    return new CommandLine(new PeOptions())
        .setOverwrittenOptionsAllowed(true)
        .setExpandAtFiles(false) // HBase's class knows none, and tasks would not find the file
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  /**
   * Parses arguments.
   *
   * @throws CommandLine.ParameterException when they cannot be understood
   * @throws IllegalArgumentException when they contradict each other
   */
  public static PeOptions parse(List<String> arguments) {
    CommandLine line = commandLine();
    CommandLine.ParseResult result = line.parseArgs(arguments.toArray(String[]::new));
    PeOptions options = line.getCommand();
    options.arguments = List.copyOf(arguments);
    result.matchedOptions().forEach(option -> options.given.add(option.longestName()));
    if (!options.help) {
      OptionChecks.check(options);
    }
    return options;
  }

  /** What was parsed. */
  public List<String> arguments() {
    return arguments;
  }

  /** Whether an option was on the command line. */
  public boolean isGiven(String option) {
    return given.contains(option);
  }

  /** Sentences about what is given and does not do what one may expect. */
  public List<String> warnings() {
    List<String> warnings = Effects.warnings(this);
    if (clientCount > CLIENTS_USUAL_MAX) {
      warnings.add(
          clientCount
              + " clients are more than the "
              + CLIENTS_USUAL_MAX
              + " that HBase's class allows; their threads may measure this machine");
    }
    return warnings;
  }

  /** The test. */
  public Command command() {
    return Command.named(name).orElse(Command.CUSTOM);
  }

  /** The test's name, or that of the user's class. */
  public String name() {
    return name;
  }

  public int clientCount() {
    return clientCount;
  }

  public boolean help() {
    return help;
  }

  /** Null when not given. */
  public String propertiesFile() {
    return propertiesFile;
  }

  /** {@code -D}. */
  public Map<String, String> properties() {
    return properties;
  }

  /** The options that were given, by their names. */
  Set<String> given() {
    return given;
  }

  public ClientOptions clients() {
    return clients;
  }

  public RowOptions rows() {
    return rows;
  }

  public MeasureOptions measure() {
    return measure;
  }

  public PaceOptions pace() {
    return pace;
  }

  public ValueOptions values() {
    return values;
  }

  public TableOptions table() {
    return table;
  }

  public WriteOptions writes() {
    return writes;
  }

  public ReadOptions reads() {
    return reads;
  }
}
