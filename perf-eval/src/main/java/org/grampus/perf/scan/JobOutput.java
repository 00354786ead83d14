package org.grampus.perf.scan;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.grampus.perf.ToolException;

/**
 * What a job that has read a table says at its end.
 *
 * @param rows that its mappers got
 * @param cells of these rows
 * @param valueBytes of these cells
 * @param millis from its submission to its end
 */
public record JobOutput(long rows, long cells, long valueBytes, long millis) {
  private static final Pattern LINE =
      Pattern.compile("scanned (\\d+) rows, (\\d+) cells, (\\d+) bytes of values in (\\d+) ms");

  /** A download's last line; thousands have commas, and it does not count cells. */
  private static final Pattern DOWNLOADED =
      Pattern.compile("downloaded ([0-9,]+) rows, .* in ([0-9.]+) s");

  /** A query's row, and how long its statement took. */
  private static final Pattern QUERIED =
      Pattern.compile("queried\\t(\\d+)\\trows\\t.*\\RTime taken: ([0-9.]+) seconds");

  /** Of what {@link CountingJob}, a query of Spark or {@code bin/grampus download} printed. */
  public static JobOutput parse(String output) throws ToolException {
    Matcher line = LINE.matcher(output);
    if (line.find()) {
      return new JobOutput(number(line, 1), number(line, 2), number(line, 3), number(line, 4));
    }
    Matcher downloaded = DOWNLOADED.matcher(output);
    if (downloaded.find()) {
      long rows = Long.parseLong(downloaded.group(1).replace(",", ""));
      return new JobOutput(rows, 0, 0, Math.round(Double.parseDouble(downloaded.group(2)) * 1000));
    }
    Matcher queried = QUERIED.matcher(output);
    if (queried.find()) {
      long millis = Math.round(Double.parseDouble(queried.group(2)) * 1000);
      return new JobOutput(number(queried, 1), 0, 0, millis);
    }
    throw new ToolException("the job has not said how many rows it has read:\n" + output.strip());
  }

  private static long number(Matcher line, int group) {
    return Long.parseLong(line.group(group));
  }

  /** How long it has taken, in s; above 0. */
  public double seconds() {
    return Math.max(millis, 1) / 1000.0;
  }

  @Override
  public String toString() {
    return "scanned "
        + rows
        + " rows, "
        + cells
        + " cells, "
        + valueBytes
        + " bytes of values in "
        + millis
        + " ms";
  }
}
