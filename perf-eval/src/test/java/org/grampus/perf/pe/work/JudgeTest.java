package org.grampus.perf.pe.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Properties;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.measure.FakeClock;
import org.grampus.perf.pe.measure.Tally;
import org.grampus.perf.pe.option.PeOptions;
import org.junit.jupiter.api.Test;

final class JudgeTest {
  private final Tally tally = new Tally();

  private TestClient client(String arguments) {
    PeOptions options = PeOptions.parse(List.of(arguments.split(" ")));
    TestClient.Task task = new TestClient.Task(options, null, new Properties(), 0);
    return new TestClient(task, null, tally, new FakeClock());
  }

  private static Result written(TestClient client, long row) {
    Columns columns = Columns.of(client.options());
    byte[] value = client.values().value(row, 0, 0);
    return Result.create(
        List.of(
            new KeyValue(
                RowKey.of(row), columns.families()[0], columns.qualifiers()[0], 1, value)));
  }

  @Test
  void theAnswerToAGetMustBeTheRowThatWasAskedFor() throws IOException {
    TestClient client = client("--rows=10 --verify randomRead 1");
    Judge judge = Judge.of(client);

    judge.answer(3, written(client, 3));
    assertEquals(0, tally.counts().wrong());
    judge.answer(3, written(client, 4));

    assertEquals(1, tally.counts().wrong());
    assertEquals(2, tally.counts().rows().done());
  }

  @Test
  void aScanMustReturnEachRowOnceInItsOrder() throws IOException {
    TestClient client = client("--rows=10 --verify scan 1");
    Judge judge = Judge.of(client);
    RowsInOrder order = new RowsInOrder(0, 10, false);

    for (long row : new long[] {0, 1, 3, 3, 2, 4, 10}) {
      judge.row(written(client, row), order);
    }

    assertEquals(3, tally.counts().wrong(), "twice, backwards, outside");
  }

  @Test
  void rowsOfAReversedScanComeDownwards() {
    RowsInOrder order = new RowsInOrder(5, 8, true);
    assertTrue(LongStream.of(7, 6, 5).allMatch(order::accept));
    assertFalse(order.accept(6));
    assertFalse(order.accept(4));
  }

  @Test
  void underAFilterOfAllRowsNothingMayComeBack() throws IOException {
    TestClient client = client("--rows=10 --filterAll randomRead 1");
    Judge judge = Judge.of(client);

    judge.answer(3, Result.EMPTY_RESULT);
    assertEquals(0, tally.counts().wrong());
    judge.answer(3, written(client, 3));

    assertEquals(1, tally.counts().wrong());
  }
}
