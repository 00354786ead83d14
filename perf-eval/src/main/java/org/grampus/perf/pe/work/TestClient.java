package org.grampus.perf.pe.work;

import java.util.Properties;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.pe.chance.Chance;
import org.grampus.perf.pe.measure.Clock;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.CallSettings;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.RowPlan;
import org.grampus.perf.pe.option.Share;
import org.grampus.perf.pe.option.ValueOptions;
import org.grampus.perf.pe.value.CellValues;
import org.grampus.perf.pe.value.ValueLength;

/**
 * What a test knows of the client that runs it.
 *
 * @param task what the client is to do
 * @param connection its connection
 * @param tally where it counts
 * @param clock time
 */
public record TestClient(Task task, ClientConnection connection, Tally tally, Clock clock) {
  /**
   * What a client is to do.
   *
   * @param options of the run
   * @param settings how calls are made
   * @param properties of {@code --commandPropertiesFile}
   * @param number of the client, from 0
   */
  public record Task(PeOptions options, CallSettings settings, Properties properties, int number) {
    /** The client's rows in a cycle. */
    public Share share() {
      return RowPlan.of(options).share(number);
    }
  }

  /** Options of the run. */
  public PeOptions options() {
    return task.options;
  }

  /** The table of the run. */
  public TableName table() {
    return TableName.valueOf(options().table().name());
  }

  /** What the cells of the table hold. */
  public CellValues values() {
    ValueOptions values = options().values();
    ValueLength length =
        values.random()
            ? ValueLength.uniform(values.size())
            : values.zipf() ? ValueLength.zipf(values.size()) : ValueLength.fixed(values.size());
    return new CellValues(values.profile(), length, new Chance(values.seed()));
  }
}
