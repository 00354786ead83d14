package org.grampus.perf.pe.option;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.grampus.perf.pe.key.MetaKeys;
import org.grampus.perf.pe.key.Sample;

/**
 * Which rows of a test each client has.
 *
 * @param total rows of the table that the test is about
 * @param asked rows that all clients take in one cycle, before a sample is taken of them
 * @param start the first row
 * @param shared whether every client begins there, and not behind the one before it
 * @param clients their number
 */
public record RowPlan(long total, long asked, long start, boolean shared, int clients) {
  /** A GB as HBase's class has it: 1,000 MiB. */
  private static final long GB = 1000L << 20;

  /** Rows of a client when nothing is said: a GB of values of 1,000 bytes. */
  public static final long ROWS_DEFAULT = GB / 1000;

  /**
   * The plan of a command line.
   *
   * @throws IllegalArgumentException when there are too many rows, or too few for the clients
   */
  public static RowPlan of(PeOptions options) {
    try {
      RowPlan plan = plan(options);
      Sample sample = new Sample(options.rows().sampleRate());
      Math.multiplyExact(sample.count(plan.asked), options.rows().cycles());
      sample.index(sample.count(plan.asked));
      Math.addExact(plan.start, plan.asked);
      return plan;
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("more rows than can be counted; ask for fewer", e);
    }
  }

  private static RowPlan plan(PeOptions options) {
    int clients = options.clientCount();
    Command command = options.command();
    long total;
    long asked;
    if (options.rows().size() == null) {
      total = Math.multiplyExact(rowsGiven(options), clients);
      asked = total;
    } else {
      total = rowsOf(options.rows().size(), rowsPerGb(options.values()));
      asked = hasBoth(options) ? Math.multiplyExact(rowsGiven(options), clients) : total;
    }
    if (asked < clients) {
      throw new IllegalArgumentException(
          "there are " + asked + " rows for " + clients + " clients; ask for more rows");
    }
    boolean fixed = command.is(Trait.ATOMIC);
    boolean ownStart = !command.is(Trait.RANDOM) && !fixed && options.rows().startRow() != 0;
    return new RowPlan(
        total, asked, ownStart ? options.rows().startRow() : 0, fixed || ownStart, clients);
  }

  private static long rowsGiven(PeOptions options) {
    return options.rows().rows() == null ? ROWS_DEFAULT : options.rows().rows();
  }

  /** Only these tests take some rows out of a table of a size. */
  static boolean hasBoth(PeOptions options) {
    return options.rows().rows() != null
        && (options.command() == Command.RANDOM_READ
            || options.command() == Command.RANDOM_SEEK_SCAN);
  }

  /** HBase's reckoning: the values alone, in whole rows. */
  private static long rowsPerGb(ValueOptions values) {
    long value = values.random() ? values.size() / 2 : values.size();
    long row = Math.multiplyExact(Math.multiplyExact(value, values.families()), values.columns());
    if (row == 0 || row > GB) {
      throw new IllegalArgumentException(
          "--size needs rows of 1 byte to 1,000 MiB, and not of " + row + " bytes; use --rows");
    }
    return GB / row;
  }

  private static long rowsOf(BigDecimal gb, long rowsPerGb) {
    return gb.multiply(BigDecimal.valueOf(rowsPerGb))
        .setScale(0, RoundingMode.DOWN)
        .longValueExact();
  }

  /** Keys of tests of meta: the same for all clients, also where some have one row more. */
  public MetaKeys metaKeys() {
    return MetaKeys.ofRows(asked / clients);
  }

  /** The row behind the last of all clients. */
  long end() {
    return share(clients - 1).end();
  }

  /** The rows of a client in one cycle; the first ones have one more where it does not come out. */
  public Share share(int client) {
    long each = asked / clients;
    long more = asked % clients;
    long before = each * client + Math.min(client, more);
    return new Share(shared ? start : start + before, each + (client < more ? 1 : 0));
  }
}
