package org.grampus.perf.pe.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.grampus.perf.pe.client.Assignment;
import org.grampus.perf.pe.client.ClientResult;
import org.grampus.perf.pe.client.Times;
import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.RowCounts;
import org.grampus.perf.pe.measure.Series;
import org.grampus.perf.pe.option.Share;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoredResultTest {
  @TempDir private Path work;

  private static ClientResult result(int client) {
    Latencies latencies = new Latencies(1);
    latencies.add(1_500, 3_000);
    Series series = new Series();
    series.answered(5_000, 3);
    series.latency(5_000, 1_500);
    series.answered(7_000, 4);
    return new ClientResult(
        new Assignment(client, new Share(10, 20), 20),
        new Counts(20, new RowCounts(20, 19, 1), 2, 3, 4),
        new Times(4_900, 7_100, 2_200_000_000L),
        latencies,
        series,
        "it broke");
  }

  @Test
  void nothingIsLostOnTheWay() {
    Gson gson = TravelJson.gson();
    String line = gson.toJson(StoredResult.of(result(3)));

    ClientResult back = gson.fromJson(line, StoredResult.class).result();

    assertEquals(3, back.client());
    assertEquals(result(3).counts(), back.counts());
    assertEquals(result(3).times(), back.times());
    assertEquals(result(3).latencies().service(), back.latencies().service());
    assertEquals(result(3).latencies().response(), back.latencies().response());
    assertEquals(1, back.latencies().overThreshold());
    assertEquals("it broke", back.failure());
    assertEquals(
        List.of(3L, 0L, 4L),
        back.series().intervals().values().stream().map(one -> one.operations()).toList());
  }

  private Configuration job() {
    Configuration job = new Configuration(false);
    job.set("fs.file.impl", "org.apache.hadoop.fs.LocalFileSystem");
    ResultFiles.setDirectory(job, new org.apache.hadoop.fs.Path(work.resolve("results").toUri()));
    return job;
  }

  @Test
  void filesComeInTheOrderOfClients() throws Exception {
    for (int client : new int[] {10, 2, 0}) {
      ResultFiles.write(job(), result(client));
    }

    assertEquals(
        List.of(0, 2, 10), ResultFiles.read(job()).stream().map(ClientResult::client).toList());
  }

  @Test
  void aFileThatIsNoResultIsAnError() throws Exception {
    Files.createDirectories(work.resolve("results"));
    Files.writeString(work.resolve("results").resolve("1.json"), "{\"client\": 1}");

    assertThrows(IOException.class, () -> ResultFiles.read(job()));
  }

  @Test
  void noFileIsNoResult() throws Exception {
    assertEquals(List.of(), ResultFiles.read(job()));
  }
}
