package org.grampus.perf.pe.option;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/** Finds out which settings count and where they were set, in the process that begins the run. */
public final class EffectiveSettings {
  /** Rows of a call when nothing is said: HBase's class, not HBase's client. */
  private static final int CACHING_DEFAULT = 30;

  private static final String DEFAULTS_FILE = "hbase-default.xml";
  private static final String COMMAND_LINE = "from command line";

  private final PeOptions options;
  private final Configuration conf;
  private final List<Setting> settings = new ArrayList<>();
  private final CallSettings calls;

  /**
   * Resolves them.
   *
   * @param seedOfClock the seed when the command line has none
   */
  public EffectiveSettings(PeOptions options, Configuration conf, long seedOfClock) {
    this.options = options;
    this.conf = conf;
    this.calls = new CallSettings(scan(), buffer(), seed(seedOfClock));
  }

  private CallSettings.ScanCalls scan() {
    ReadOptions reads = options.reads();
    CallSettings.ScanCalls scan =
        new CallSettings.ScanCalls(
            caching(),
            maxResultBytes(),
            reads.cacheBlocks(),
            reads.readType(),
            reads.asyncPrefetch());
    option("cacheBlocks", scan.cacheBlocks());
    option("scanReadType", scan.readType());
    option("asyncPrefetch", scan.asyncPrefetch());
    return scan;
  }

  private int caching() {
    Integer given = options.reads().caching();
    String key = HConstants.HBASE_CLIENT_SCANNER_CACHING;
    int caching = CACHING_DEFAULT;
    if (given != null) {
      caching = given;
      option("caching", given);
    } else if (isSet(key)) {
      caching = conf.getInt(key, CACHING_DEFAULT);
      if (caching <= 0) {
        throw new IllegalArgumentException(key + " must be above 0, not " + caching);
      }
      settings.add(new Setting("caching", caching, source(key)));
    } else {
      option("caching", caching);
    }
    return caching;
  }

  private long maxResultBytes() {
    String key = HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY;
    long bytes = conf.getLong(key, HConstants.DEFAULT_HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE);
    settings.add(new Setting("maxResultSize", bytes, isSet(key) ? source(key) : "default"));
    return bytes;
  }

  private long buffer() {
    Long given = options.writes().bufferBytes();
    long bytes = given == null ? WriteOptions.BUFFER_BYTES : given;
    option("bufferSize", bytes);
    return bytes;
  }

  private long seed(long seedOfClock) {
    Long given = options.rows().seed();
    if (given != null) {
      option("seed", given);
      return given;
    }
    settings.add(new Setting("seed", seedOfClock, "the clock"));
    return seedOfClock;
  }

  private void option(String name, Object value) {
    String source = options.isGiven("--" + name) ? "option --" + name : "default";
    settings.add(new Setting(name, value, source));
  }

  private boolean isSet(String key) {
    return conf.get(key) != null && !firstSource(key).equals(DEFAULTS_FILE);
  }

  private String source(String key) {
    String source = firstSource(key);
    return source.equals(COMMAND_LINE)
        ? "-D" + key + " on the command line"
        : key + " in " + source;
  }

  /** Hadoop's name of it; later ones say through which files the value has passed. */
  private String firstSource(String key) {
    String[] sources = conf.getPropertySources(key);
    return sources == null || sources.length == 0 ? "the program" : sources[0];
  }

  /** The values alone. */
  public CallSettings calls() {
    return calls;
  }

  /** Those that have an effect on this test, with their sources. */
  public List<Setting> shown() {
    return settings.stream().filter(this::hasEffect).toList();
  }

  private boolean hasEffect(Setting setting) {
    Command command = options.command();
    boolean custom = command == Command.CUSTOM;
    return switch (setting.name()) {
      case "bufferSize" ->
          custom
              || ((command.is(Trait.PUT) || command.is(Trait.DELETE))
                  && !command.is(Trait.ASYNC)
                  && !options.writes().autoFlush());
      case "seed" -> custom || command.is(Trait.RANDOM);
      case "asyncPrefetch" -> custom || (scans(command) && !command.is(Trait.ASYNC));
      default -> custom || scans(command);
    };
  }

  private boolean scans(Command command) {
    return (command.is(Trait.SCAN) || command.is(Trait.SHORT_SCAN)) && !options.clients().direct();
  }
}
