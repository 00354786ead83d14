package org.grampus.perf.pe.client;

import org.grampus.perf.pe.chance.Chance;
import org.grampus.perf.pe.key.RowOrder;
import org.grampus.perf.pe.key.Sample;
import org.grampus.perf.pe.option.Command;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.RowPlan;
import org.grampus.perf.pe.option.Share;
import org.grampus.perf.pe.option.Trait;
import org.grampus.perf.pe.work.TestClient;

/** Which row of a client comes when. Immutable. */
final class ClientRows {
  private final Share share;
  private final Sample sample;
  private final long count;
  private final RowOrder order;

  /** Keys that repeat are drawn anew in each cycle. */
  private final long cycleOffset;

  ClientRows(TestClient.Task task) {
    PeOptions options = task.options();
    this.share = task.share();
    this.sample = sample(options);
    this.count = sample.count(share.rows());
    this.order = order(task);
    boolean redraws = options.command().is(Trait.RANDOM) && options.rows().repeatKeys();
    this.cycleOffset = redraws ? RowPlan.of(options).asked() : 0;
  }

  /** The part of its rows that a client takes. */
  static Sample sample(PeOptions options) {
    return options.command().is(Trait.SCAN) ? Sample.ALL : new Sample(options.rows().sampleRate());
  }

  private RowOrder order(TestClient.Task task) {
    PeOptions options = task.options();
    Command command = options.command();
    if (!command.is(Trait.RANDOM)) {
      return RowOrder.sequential();
    }
    long rows = command == Command.META_RANDOM_READ ? share.rows() : RowPlan.of(options).total();
    Chance chance = new Chance(task.settings().seed());
    return options.rows().repeatKeys()
        ? RowOrder.drawn(rows, chance)
        : RowOrder.permuted(rows, chance);
  }

  Share share() {
    return share;
  }

  /** Rows of a cycle, those alone that a sample takes. */
  long count() {
    return count;
  }

  /** The n-th row of a cycle. */
  long row(long cycle, long n) {
    return order.row(share.start() + sample.index(n) + cycle * cycleOffset);
  }

  /**
   * How many rows of the client there are before the n-th, those included that a sample leaves out.
   */
  long index(long n) {
    return sample.index(n);
  }
}
