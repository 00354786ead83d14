package org.grampus.perf.pe.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.FakeClock;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.EffectiveSettings;
import org.grampus.perf.pe.option.PeOptions;
import org.junit.jupiter.api.Test;

/** What is counted of checks, on a server whose checks all hold or all fail. */
final class AtomicCallsTest {
  private static Counts counts(AtomicCalls.Operation operation, boolean holds) throws IOException {
    PeOptions options = PeOptions.parse(List.of("checkAndPut", "1"));
    EffectiveSettings settings = new EffectiveSettings(options, new Configuration(false), 1);
    TestClient.Task task = new TestClient.Task(options, settings.calls(), new Properties(), 0);
    Tally tally = new Tally();
    AtomicCalls test = new AtomicCalls(operation);
    test.open(
        new TestClient(
            task, new ClientConnection(connection(holds), null), tally, new FakeClock()));
    test.row(0);
    test.close();
    return tally.counts();
  }

  private static Connection connection(boolean holds) {
    Table table =
        proxy(
            Table.class,
            (self, method, arguments) ->
                method.getName().equals("checkAndMutate")
                    ? new CheckAndMutateResult(holds, null)
                    : null);
    return proxy(Connection.class, (self, method, arguments) -> table);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static void assertCounts(Counts counts, long rows, long wrong) {
    assertEquals(1, counts.operations());
    assertEquals(rows, counts.rows().done());
    assertEquals(wrong, counts.wrong());
    assertEquals(rows > 0, counts.bytes() > 0);
  }

  @Test
  void aCheckThatHoldsIsARowWritten() throws IOException {
    assertCounts(counts(AtomicOperations::checkAndPut, true), 1, 0);
    assertCounts(counts(AtomicOperations::checkAndMutate, true), 1, 0);
  }

  @Test
  void aCheckThatMustHoldAndFailsIsAWrongAnswer() throws IOException {
    assertCounts(counts(AtomicOperations::checkAndPut, false), 0, 1);
    assertCounts(counts(AtomicOperations::checkAndMutate, false), 0, 1);
  }

  /** Another client may have been there first. */
  @Test
  void aDeleteMayFindTheValueGone() throws IOException {
    assertCounts(counts(AtomicOperations::checkAndDelete, false), 1, 0);
  }
}
