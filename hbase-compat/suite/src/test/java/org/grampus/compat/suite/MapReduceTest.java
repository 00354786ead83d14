package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mapreduce.CellCounter;
import org.apache.hadoop.hbase.mapreduce.CopyTable;
import org.apache.hadoop.hbase.mapreduce.Export;
import org.apache.hadoop.hbase.mapreduce.Import;
import org.apache.hadoop.hbase.mapreduce.ImportTsv;
import org.apache.hadoop.hbase.mapreduce.RowCounter;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HBase's own MapReduce jobs with Hadoop's local runner, over a table of several regions. */
class MapReduceTest extends CompatTest {
  private static final int ROWS = 300;

  /** Between two looks at a job, which takes a moment; the default is a second. */
  private static final int POLL_MILLIS = 50;

  @TempDir Path directory;
  private TableName other;

  @BeforeEach
  void fillTable() throws IOException {
    other = TableName.valueOf(name.getNameAsString() + "Other");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(other).setColumnFamilies(families()).build());
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      byte[] row = b(String.format("row%03d", i));
      for (int version = 1; version <= 2; version++) {
        puts.add(new Put(row).addColumn(F, Q, version, b("value" + i + "-" + version)));
      }
      puts.add(new Put(row).addColumn(G, Q, 1, b("g" + i)));
    }
    table.put(puts);
    table.delete(new Delete(b("row100")));
    splitAt("row100");
  }

  @AfterEach
  void dropOther() throws IOException {
    admin.disableTable(other);
    admin.deleteTable(other);
  }

  private void splitAt(String row) throws IOException {
    byte[] region = admin.getRegions(name).get(0).getRegionName();
    try {
      admin.splitRegionAsync(region, b(row)).get();
    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
      throw new IOException(e);
    }
    assertEquals(2, admin.getRegions(name).size());
  }

  private Configuration configuration() throws Exception {
    Configuration conf = SharedServer.get().configuration();
    conf.set("hadoop.tmp.dir", directory.resolve("hadoop").toString());
    conf.set("mapreduce.jobtracker.staging.root.dir", directory.resolve("staging").toString());
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", POLL_MILLIS);
    conf.setInt("mapreduce.client.completion.pollinterval", POLL_MILLIS);
    return conf;
  }

  private void run(Tool tool, String... arguments) throws Exception {
    assertEquals(0, ToolRunner.run(configuration(), tool, arguments), tool.getClass().getName());
  }

  /** Every version and marker, so that nothing that a job lost goes unseen. */
  private List<String> cells(TableName of, boolean raw) throws IOException {
    List<String> cells = new ArrayList<>();
    try (Table read = connection.getTable(of);
        ResultScanner scanner = read.getScanner(new Scan().readAllVersions().setRaw(raw))) {
      for (Result result : scanner) {
        cells.add(show(result));
      }
    }
    return cells;
  }

  private String exported() {
    return directory.resolve("exported").toUri().toString();
  }

  @Test
  void rowsAreCounted() throws Exception {
    run(new RowCounter(), name.getNameAsString(), "--expectedCount=" + (ROWS - 1));
    assertEquals(
        1,
        ToolRunner.run(
            configuration(),
            new RowCounter(),
            new String[] {name.getNameAsString(), "--expectedCount=" + ROWS}));
  }

  @Test
  void cellsAreCounted() throws Exception {
    Path output = directory.resolve("counts");
    run(new CellCounter(), name.getNameAsString(), output.toUri().toString());
    List<String> lines;
    try (Stream<Path> parts = Files.list(output)) {
      lines =
          parts
              .filter(part -> part.getFileName().toString().startsWith("part-"))
              .map(MapReduceTest::lines)
              .flatMap(Collection::stream)
              .toList();
    }
    assertTrue(lines.contains("Total ROWS\t" + (ROWS - 1)), lines.toString());
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void anExportImportedElsewhereIsTheSameTable() throws Exception {
    run(new Export(), name.getNameAsString(), exported(), "5");
    run(new Import(), other.getNameAsString(), exported());
    assertEquals(cells(name, false), cells(other, false));
  }

  @Test
  void anExportOfDeletedCellsKeepsTheMarkers() throws Exception {
    run(
        new Export(),
        "-Dhbase.mapreduce.include.deleted.rows=true",
        name.getNameAsString(),
        exported(),
        "5");
    run(new Import(), other.getNameAsString(), exported());
    assertEquals(cells(name, true), cells(other, true));
  }

  @Test
  void aCopiedTableIsTheSame() throws Exception {
    run(new CopyTable(), "--versions=5", "--new.name=" + other, name.getNameAsString());
    assertEquals(cells(name, false), cells(other, false));
  }

  @Test
  void aTextIsImported() throws Exception {
    Path text = Files.writeString(directory.resolve("text.tsv"), "a\t1\nb\t2\n");
    run(
        new ImportTsv(),
        "-Dimporttsv.columns=HBASE_ROW_KEY,f:q",
        "-Dimporttsv.timestamp=7",
        other.getNameAsString(),
        text.toUri().toString());
    assertEquals(List.of("a/f:q@7=1", "b/f:q@7=2"), cells(other, false));
  }
}
