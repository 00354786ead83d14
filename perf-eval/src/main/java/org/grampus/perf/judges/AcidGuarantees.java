package org.grampus.perf.judges;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ProgramEnd;

/**
 * HBase's {@code AcidGuaranteesTestTool}: writers give all columns of three families of a row one
 * value, gets and scans must see no row with two. {@code IntegrationTestAcidGuarantees} runs the
 * same for 5 s, whatever its arguments say.
 */
final class AcidGuarantees implements Judge {
  private static final String TOOL = "org.apache.hadoop.hbase.AcidGuaranteesTestTool";
  private static final Pattern COUNT =
      Pattern.compile("(?:^|\\s)(wrote|read|scanned) (\\d+)$", Pattern.MULTILINE);

  private final int seconds;

  /** For a time in seconds. */
  AcidGuarantees(int seconds) {
    this.seconds = seconds;
  }

  @Override
  public Judgement judge(JudgeBench bench) throws ToolException, IOException, InterruptedException {
    return judge(
        bench.besideFaults(
            TOOL,
            "-millis",
            String.valueOf(TimeUnit.SECONDS.toMillis(seconds)),
            "-numWriters",
            "6",
            "-numGetters",
            "3",
            "-numScanners",
            "2",
            "-numUniqueRows",
            "3"));
  }

  /** What its output means: it ends by an exception when a row is torn. */
  static Judgement judge(ProgramEnd end) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (String word : new String[] {"wrote", "read", "scanned"}) {
      counts.put(word, 0L);
    }
    Matcher count = COUNT.matcher(end.output());
    while (count.find()) {
      counts.merge(count.group(1), Long.valueOf(count.group(2)), Long::sum);
    }
    Objections objections = Objections.of(end);
    counts.forEach(
        (word, number) -> objections.unless(number > 0, "no thread has said what it " + word));
    objections.unless(
        !end.output().contains("Failed after "), "a reader has seen a row with two values");
    return objections.with(
        counts.get("wrote")
            + " rows written, "
            + counts.get("read")
            + " read, "
            + counts.get("scanned")
            + " scans");
  }
}
