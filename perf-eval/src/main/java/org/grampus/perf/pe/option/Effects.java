package org.grampus.perf.pe.option;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Which options have an effect on which test. Those that are not named have one on all. */
final class Effects {
  private static final Predicate<PeOptions> NEVER = on(command -> false);
  private static final Predicate<PeOptions> READS = on(Command::isRead);
  private static final Predicate<PeOptions> PUTS = has(Trait.PUT);
  private static final Predicate<PeOptions> WRITES = PUTS.or(has(Trait.DELETE));
  private static final Predicate<PeOptions> SYNC = has(Trait.ASYNC).negate();
  private static final Predicate<PeOptions> DIRECT = options -> options.clients().direct();
  private static final Predicate<PeOptions> SPLITS =
      DIRECT.or(options -> options.clients().mappersPerServer() > 0);
  private static final Predicate<PeOptions> SCANS =
      has(Trait.SCAN).or(has(Trait.SHORT_SCAN)).and(DIRECT.negate());
  private static final Predicate<PeOptions> CREATES = on(Command::createsTable);
  private static final Predicate<PeOptions> SIZED = options -> options.rows().size() != null;
  private static final Predicate<PeOptions> FILTERED = options -> options.reads().filterAll();
  private static final Predicate<PeOptions> VERIFIES =
      READS.and(FILTERED.negate()).and(options -> options.reads().verify());
  private static final Predicate<PeOptions> VALUES =
      PUTS.or(VERIFIES).or(on(command -> command == Command.FILTER_SCAN));
  private static final Predicate<PeOptions> CHECKS =
      on(
          command ->
              command == Command.CHECK_AND_PUT
                  || command == Command.CHECK_AND_MUTATE
                  || command == Command.CHECK_AND_DELETE);

  private static final Map<String, Predicate<PeOptions>> BY_OPTION =
      Map.ofEntries(
          entry("--latency", NEVER),
          entry("--traceRate", NEVER),
          entry("--flushCommits", NEVER),
          entry("--rows", SIZED.negate().or(RowPlan::hasBoth)),
          entry("--startRow", has(Trait.RANDOM).or(has(Trait.ATOMIC)).negate()),
          entry("--sampleRate", has(Trait.SCAN).negate()),
          entry("--seed", has(Trait.RANDOM)),
          entry("--repeatKeys", has(Trait.RANDOM)),
          entry("--oneCon", options -> options.clients().threads()),
          entry("--connCount", options -> options.clients().threads()),
          entry("--rate", SPLITS.negate()),
          entry("--warmup", READS.and(SPLITS.negate())),
          entry("--period", SPLITS.negate()),
          entry("--measureAfter", SPLITS.negate()),
          entry(
              "--randomSleep",
              has(Trait.RANDOM)
                  .and(has(Trait.GET).or(on(command -> command == Command.META_RANDOM_READ)))),
          entry("--valueSize", VALUES.or(SIZED)),
          entry("--valueRandom", VALUES.or(SIZED)),
          entry("--valueZipf", VALUES),
          entry("--profile", VALUES),
          entry("--valueSeed", VALUES),
          entry("--columns", PUTS.or(SIZED).or(READS.and(options -> options.reads().addColumns()))),
          entry(
              "--families",
              WRITES
                  .or(SIZED)
                  .or(READS)
                  .or(CREATES.and(CHECKS.negate()))
                  .and(on(command -> command != Command.FILTER_SCAN).or(SIZED))),
          entry("--usetags", PUTS),
          entry("--numoftags", PUTS.and(options -> options.values().tags() > 0)),
          entry("--presplit", CREATES),
          entry("--compress", CREATES),
          entry("--encryption", CREATES),
          entry("--splitPolicy", CREATES),
          entry("--inmemory", CREATES),
          entry("--bloomFilter", CREATES),
          entry("--blockSize", CREATES),
          entry("--blockEncoding", CREATES),
          entry("--inmemoryCompaction", CREATES),
          entry("--replicas", CREATES.or(READS.and(DIRECT.negate()))),
          entry("--autoFlush", WRITES.and(SYNC)),
          entry("--writeToWAL", WRITES),
          entry("--multiPut", PUTS),
          entry("--bufferSize", WRITES.and(SYNC).and(options -> !options.writes().autoFlush())),
          entry("--filterAll", READS),
          entry("--multiGet", has(Trait.GET).and(has(Trait.RANDOM))),
          entry("--addColumns", READS),
          entry("--caching", SCANS),
          entry("--cacheBlocks", SCANS),
          entry("--scanReadType", SCANS),
          entry("--asyncPrefetch", SCANS.and(SYNC)),
          entry("--verify", READS.and(FILTERED.negate())),
          entry(
              "--allowMissing",
              FILTERED.negate().and(on(command -> command != Command.FILTER_SCAN))),
          entry("--commandPropertiesFile", has(Trait.CUSTOM)));

  private Effects() {}

  private static Predicate<PeOptions> on(Predicate<Command> command) {
    return options -> command.test(options.command());
  }

  private static Predicate<PeOptions> has(Trait trait) {
    return on(command -> command.is(trait));
  }

  /** The options that have no effect on some test. */
  static Set<String> names() {
    return BY_OPTION.keySet();
  }

  /** A sentence for each option that was given and has no effect; a class may use all of them. */
  static List<String> warnings(PeOptions options) {
    List<String> warnings = new ArrayList<>();
    for (String option : options.given()) {
      Predicate<PeOptions> effect = BY_OPTION.get(option);
      boolean custom = options.command() == Command.CUSTOM && effect != NEVER;
      if (effect != null && !custom && !effect.test(options)) {
        warnings.add(option + " has no effect on this run of " + options.name());
      }
    }
    return warnings;
  }
}
