package org.grampus.perf.pe.work;

import java.util.Arrays;
import org.apache.hadoop.hbase.client.Result;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.value.CellValues;

/** Looks at what comes back, and counts. For one thread. */
public final class Judge {
  private final Tally tally;
  private final Columns columns;
  private final CellValues values;
  private final boolean filtered;

  /**
   * The judge of a client's answers.
   *
   * @param columns that a row must have when its values are looked at
   */
  Judge(TestClient client, Columns columns) {
    this.tally = client.tally();
    this.columns = columns;
    this.filtered = client.options().reads().filterAll();
    this.values = client.options().reads().verify() && !filtered ? client.values() : null;
  }

  /** The judge of a client that reads what its options say. */
  public static Judge of(TestClient client) {
    return new Judge(client, Columns.of(client.options()));
  }

  /** Whether nothing comes back because the server filters all of it out. */
  boolean filtered() {
    return filtered;
  }

  /** The answer to a get of a row; under a filter of all rows each answer stands for its row. */
  void answer(long row, Result result) {
    tally.answered(1);
    if (!result.isEmpty()) {
      row(result, row == RowKey.number(result.getRow()));
    } else if (filtered) {
      tally.rows(1);
    } else {
      tally.missing(1);
    }
  }

  /** A row of a scan that came back. */
  void row(Result result, RowsInOrder order) {
    row(result, order.accept(RowKey.number(result.getRow())));
  }

  /** A row that came back where any row may. */
  public void row(Result result) {
    row(result, true);
  }

  private void row(Result result, boolean asked) {
    tally.rows(1);
    tally.bytes(RowBytes.of(result));
    if (result.isStale()) {
      tally.stale();
    }
    if (filtered || (values != null && !(asked && isRight(result)))) {
      tally.wrong();
    }
  }

  private boolean isRight(Result result) {
    long row = RowKey.number(result.getRow());
    byte[][] families = columns.families();
    byte[][] qualifiers = columns.qualifiers();
    boolean right = row >= 0;
    for (int family = 0; right && family < families.length; family++) {
      for (int column = 0; right && column < qualifiers.length; column++) {
        byte[] found = result.getValue(families[family], qualifiers[column]);
        right = found != null && Arrays.equals(found, values.value(row, family, column));
      }
    }
    return right;
  }
}
