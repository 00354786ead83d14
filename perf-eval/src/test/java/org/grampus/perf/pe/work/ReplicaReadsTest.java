package org.grampus.perf.pe.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.measure.FakeClock;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.EffectiveSettings;
import org.grampus.perf.pe.option.PeOptions;
import org.junit.jupiter.api.Test;

/** Reads of a server whose secondary replicas answer every request that they may answer. */
final class ReplicaReadsTest {
  private final Tally tally = new Tally();

  private TestClient client(String arguments) {
    PeOptions options = PeOptions.parse(List.of(arguments.split(" ")));
    EffectiveSettings settings = new EffectiveSettings(options, new Configuration(false), 1);
    TestClient.Task task = new TestClient.Task(options, settings.calls(), new Properties(), 0);
    return new TestClient(task, new ClientConnection(connection(), null), tally, new FakeClock());
  }

  private static Connection connection() {
    return proxy(Connection.class, (self, method, arguments) -> table());
  }

  private static Table table() {
    return proxy(
        Table.class,
        (self, method, arguments) ->
            method.getName().equals("get") ? answer((Get) arguments[0]) : null);
  }

  private static Result answer(Get get) {
    boolean stale = get.getConsistency() == Consistency.TIMELINE;
    byte[] name = {'0'};
    return Result.create(List.of(new KeyValue(get.getRow(), name, name, 1, name)), null, stale);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private long stale(String arguments) throws IOException {
    try (RowGets gets = new RowGets()) {
      gets.open(client(arguments));
      gets.row(3);
      gets.row(4);
    }
    assertEquals(2, tally.counts().rows().done());
    return tally.counts().stale();
  }

  @Test
  void getsAskReplicasWhenThereAreSome() throws IOException {
    assertEquals(2, stale("--rows=10 --replicas=2 randomRead 1"));
  }

  @Test
  void getsAskNoReplicaOtherwise() throws IOException {
    assertEquals(0, stale("--rows=10 randomRead 1"));
  }

  @Test
  void scansAskReplicasWhenThereAreSome() {
    assertEquals(Consistency.TIMELINE, consistency("--rows=10 --replicas=2 scan 1"));
    assertEquals(Consistency.STRONG, consistency("--rows=10 scan 1"));
  }

  private Consistency consistency(String arguments) {
    TestClient client = client(arguments);
    return new Scans(client, Columns.of(client.options())).scan().getConsistency();
  }

  @Test
  void rowsOfScansThatComeFromReplicasAreCounted() throws IOException {
    TestClient client = client("--rows=10 --replicas=2 scan 1");

    Judge.of(client).row(answer(new Get(RowKey.of(3)).setConsistency(Consistency.TIMELINE)));
    Judge.of(client).row(answer(new Get(RowKey.of(4))));

    assertEquals(1, tally.counts().stale());
  }
}
