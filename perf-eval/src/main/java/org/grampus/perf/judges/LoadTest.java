package org.grampus.perf.judges;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ProgramEnd;

/**
 * HBase's {@code LoadTestTool}: writes and updates rows whose values follow from their keys, reads
 * and verifies them meanwhile, and all of them once more at the end.
 */
final class LoadTest implements Judge {
  private static final String TOOL = "org.apache.hadoop.hbase.util.LoadTestTool";
  private static final String TABLE = "load_test";
  private static final String WRITE = "4:256:4";
  private static final String READ = "100:4";
  private static final Pattern UNWRITTEN =
      Pattern.compile("^Failed to write keys: (\\d+)$", Pattern.MULTILINE);
  private static final Pattern BAD_READS =
      Pattern.compile("(READ FAILURES|READ ERRORS|NULL RESULT)=([1-9]\\d*)");

  private final int keys;

  /** With a number of rows. */
  LoadTest(int keys) {
    this.keys = keys;
  }

  @Override
  public Judgement judge(JudgeBench bench) throws ToolException, IOException, InterruptedException {
    String[] table = {"-tn", TABLE, "-num_keys", String.valueOf(keys)};
    ProgramEnd load = bench.besideFaults(TOOL, with(table, "-write", WRITE, "-read", READ));
    ProgramEnd read = bench.besideFaults(TOOL, with(table, "-skip_init", "-read", READ));
    return judge(load, read, RowCount.run(bench, TABLE));
  }

  private static String[] with(String[] first, String... more) {
    return Stream.of(first, more).flatMap(Stream::of).toArray(String[]::new);
  }

  /**
   * What outputs mean.
   *
   * @param load of writes and reads
   * @param read of reads alone
   * @param count of {@link RowCount}, since the tool does not say how many rows it has read
   */
  Judgement judge(ProgramEnd load, ProgramEnd read, ProgramEnd count) {
    Objections objections = new Objections();
    objections.unless(load.code() == 0, "exit code " + load.code() + " of writes");
    objections.unless(read.code() == 0, "exit code " + read.code() + " of reads");
    Matcher unwritten = UNWRITTEN.matcher(load.output());
    if (unwritten.find()) {
      objections.unless(
          unwritten.group(1).equals("0"), unwritten.group(1) + " rows could not be written");
    } else {
      objections.add("the tool does not say that all rows were written");
    }
    for (ProgramEnd end : List.of(load, read)) {
      Matcher bad = BAD_READS.matcher(end.output());
      if (bad.find()) {
        objections.add(bad.group(2) + " " + bad.group(1));
      }
    }
    Judgement counted = new RowCount(keys).judge(count);
    objections.addAll(counted.objections());
    return objections.with(keys + " rows written and verified, " + counted.counts());
  }
}
