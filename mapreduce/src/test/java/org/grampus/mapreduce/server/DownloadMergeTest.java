package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

/** Files of cells, and one file of all parts. */
class DownloadMergeTest extends DownloadCase {
  @Test
  void sequenceFilesHaveTheCellsOfAScan() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    List<String> expected = inOrder(name, new Scan());
    assertEquals(0, download("direct", "--format=seq", "--splits=3"));
    assertEquals(expected, sequences(parts("direct")));
    assertEquals(3, parts("direct").size());
    assertEquals(0, download("server", "--format=seq", "--server", "--compression=none"));
    assertEquals(expected, sequences(parts("server")));
    assertEquals(0, download("merged", "--format=seq", "--splits=3", "--merge"));
    assertEquals(expected, sequences(List.of(merged("merged", "seq"))));
    assertEquals(0, download("some", "--format=seq", "--columns=f:q1"));
    assertEquals(inOrder(name, new Scan().addColumn(F, b("q1"))), sequences(parts("some")));
  }

  @Test
  void mergedPartsAreOneFile() throws Exception {
    create(b(row(150)), b(row(400)));
    fill(ROWS);
    List<List<String>> expected = table(new Scan());
    String columns = "--columns=" + COLUMNS;
    assertEquals(0, download("csv", "--format=csv", columns, "--merge", "--splits=5"));
    assertEquals(expected, csv(List.of(merged("csv", "csv"))));
    assertEquals(0, download("jsonl", "--format=jsonl", columns, "--merge"));
    assertEquals(expected, jsonLines(List.of(merged("jsonl", "jsonl"))));
    assertEquals(0, download("parquet", "--format=parquet", columns, "--merge", "--splits=5"));
    JsonObject file = manifest("parquet").getAsJsonArray("files").get(0).getAsJsonObject();
    assertEquals(expected.size(), file.get("rows").getAsLong());
    assertEquals(Files.size(merged("parquet", "parquet")), file.get("bytes").getAsLong());
    for (String codec : List.of("none", "deflate", "snappy")) {
      String target = "avro-" + codec;
      assertEquals(
          0,
          download(
              target, "--format=avro", columns, "--merge", "--splits=5", "--compression=" + codec));
      assertEquals(expected, avro(List.of(merged(target, "avro"))));
    }
  }
}
