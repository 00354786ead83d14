package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Java of docs/mapreduce.md is compiled as it stands there, and does what the page says. */
class DocumentedJavaTest extends JobTest {
  /** Of the page's examples. */
  private static final TableName FLIGHTS = TableName.valueOf("flights");

  private static final String SNAPSHOT = "mySnapshot";
  private static final String[] CARRIERS = {"AA", "B6", "AA", "DL", "AA", "UA"};

  @BeforeEach
  void fillFlights() throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(FLIGHTS)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build(),
        new byte[][] {b("2013|1|3")});
    try (Table flights = connection.getTable(FLIGHTS)) {
      for (int i = 0; i < CARRIERS.length; i++) {
        flights.put(
            new Put(b("2013|" + (1 + i / 5) + "|" + i))
                .addColumn(F, b("carrier"), b(CARRIERS[i]))
                .addColumn(F, b("dest"), b("D" + i))
                .addColumn(F, b("distance"), b("" + 100 * i)));
      }
    }
    admin.snapshot(SNAPSHOT, FLIGHTS);
  }

  @AfterEach
  void dropFlights() throws IOException {
    admin.deleteSnapshot(SNAPSHOT);
    drop(FLIGHTS);
  }

  /** The blocks of Java of a page, in their order. */
  private static List<String> blocks() throws IOException {
    List<String> blocks = new ArrayList<>();
    StringBuilder block = null;
    for (String line : Files.readAllLines(Path.of("../docs/mapreduce.md"))) {
      if (block == null) {
        block = line.equals("```java") ? new StringBuilder() : null;
      } else if (line.equals("```")) {
        blocks.add(block.toString());
        block = null;
      } else {
        block.append(line).append('\n');
      }
    }
    return blocks;
  }

  /** The one block with a text; a page that is written anew says here that a test is missing. */
  private static String block(String text) throws IOException {
    List<String> found = blocks().stream().filter(block -> block.contains(text)).toList();
    assertEquals(1, found.size(), "blocks of the page with " + text);
    return found.get(0);
  }

  private static final List<String> TESTED =
      List.of(
          "setInputFormatClass",
          "initTableMapperJob",
          "OwnSnapshot.take",
          "BatchInputFormat.setTable",
          "TableBatches.open",
          "BulkLoadJob.run");

  @Test
  void everyBlockOfThePageIsTestedHere() throws Exception {
    for (String block : blocks()) {
      assertEquals(1, TESTED.stream().filter(block::contains).count(), block);
    }
    assertEquals(TESTED.size(), blocks().size());
  }

  /** A class with a block as the body of a static method. */
  private CompiledJava compiled(String parameters, String block, String members)
      throws IOException {
    String imports =
        Stream.of(
                "java.io.IOException",
                "org.apache.arrow.memory.*",
                "org.apache.arrow.vector.VectorSchemaRoot",
                "org.apache.hadoop.conf.Configuration",
                "org.apache.hadoop.fs.Path",
                "org.apache.hadoop.hbase.*",
                "org.apache.hadoop.hbase.client.*",
                "org.apache.hadoop.hbase.io.ImmutableBytesWritable",
                "org.apache.hadoop.hbase.mapreduce.*",
                "org.apache.hadoop.hbase.util.Bytes",
                "org.apache.hadoop.io.*",
                "org.apache.hadoop.mapreduce.*",
                "org.grampus.mapreduce.columns.*",
                "org.grampus.mapreduce.input.SnapshotInputFormat",
                "org.grampus.mapreduce.load.LoadSummary",
                "org.grampus.mapreduce.snapshot.OwnSnapshot")
            .map(type -> "import " + type + ";\n")
            .collect(Collectors.joining());
    String source =
        imports
            + "public final class Documented {\n"
            + members
            + "public static void run("
            + parameters
            + ") throws Exception {\n"
            + block
            + "}\n}\n";
    Path file = Files.createTempDirectory(directory, "source").resolve("Documented.java");
    return CompiledJava.of(directory, Files.writeString(file, source));
  }

  private static void call(CompiledJava program, Object... arguments) throws Exception {
    Method run =
        Stream.of(program.type("Documented").getMethods())
            .filter(method -> method.getName().equals("run"))
            .findFirst()
            .orElseThrow();
    for (Object argument : arguments) {
      if (argument instanceof Job job) {
        program.lead(job.getConfiguration());
      }
    }
    program.within(() -> run.invoke(null, arguments));
  }

  private Job collecting(Configuration conf) throws IOException {
    Job job = job(conf, org.apache.hadoop.hbase.mapreduce.TableInputFormat.class, null);
    job.getConfiguration()
        .set(
            org.apache.hadoop.hbase.mapreduce.TableInputFormat.INPUT_TABLE,
            FLIGHTS.getNameAsString());
    return job;
  }

  @Test
  void aJobOverATableSwitchesByTwoLines() throws Exception {
    try (CompiledJava program = compiled("Job job", block("setInputFormatClass"), "")) {
      Job job = collecting(configuration());
      call(program, job);
      assertEquals(org.grampus.mapreduce.input.TableInputFormat.class, job.getInputFormatClass());
      assertTrue(job.getConfiguration().get("tmpjars").contains("hbase-client"));
      assertEquals(scanned(FLIGHTS, new Scan()), run(job));
    }
  }

  private static final String MAPPER =
      "public static final class MyMapper extends TableMapper<Text, Text> {}\n";

  @Test
  void aJobOverASnapshotReplacesHBasesCall() throws Exception {
    String block = block("initTableMapperJob");
    try (CompiledJava program = compiled("Job job, String table, Scan scan", block, MAPPER)) {
      Job job = collecting(configuration());
      call(program, job, FLIGHTS.getNameAsString(), new Scan());
      assertEquals(
          org.grampus.mapreduce.input.SnapshotInputFormat.class, job.getInputFormatClass());
      assertEquals("MyMapper", job.getMapperClass().getSimpleName());
      job.setMapperClass(Collected.NewMapper.class); // the page's own has nothing to do
      assertEquals(scanned(FLIGHTS, new Scan()), run(job));
    }
  }

  @Test
  void aProgramsOwnSnapshotGoesWithIt() throws Exception {
    String parameters = "Configuration conf, TableName table, Job job";
    try (CompiledJava program = compiled(parameters, block("OwnSnapshot.take"), "")) {
      Job job = collecting(configuration());
      job.setInputFormatClass(org.grampus.mapreduce.input.SnapshotInputFormat.class);
      call(program, configuration(), FLIGHTS, job);
      assertEquals(scanned(FLIGHTS, new Scan()), collected(job.getConfiguration()));
    }
    assertEquals(
        List.of(SNAPSHOT),
        admin.listSnapshots().stream()
            .filter(taken -> taken.getTableName().equals(FLIGHTS))
            .map(taken -> taken.getName())
            .toList());
  }

  /** As a new program is started: its site is on its class path. */
  @Test
  void aProgramReadsBatches() throws Exception {
    String block = block("TableBatches.open");
    String placeholder = "// ...";
    assertTrue(block.contains(placeholder), block);
    String showing = block.replace(placeholder, BatchRows.class.getName() + ".show(root);");
    String main = "public static void main(String[] none) throws Exception { run(); }\n";
    Path log = directory.resolve("batches.log");
    try (CompiledJava program = compiled("", showing, main)) {
      Process process = program.start("Documented", configuration(), log);
      try {
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), () -> BatchRows.said(log));
        assertEquals(0, process.exitValue(), () -> BatchRows.said(log));
      } finally {
        process.destroyForcibly();
      }
    }
    assertEquals(
        List.of(
            "2013|1|0 D0 0",
            "2013|1|1 D1 100",
            "2013|1|2 D2 200",
            "2013|1|3 D3 300",
            "2013|1|4 D4 400"),
        BatchRows.shown(log));
  }

  private static final String PUTS =
      """
      public static final class MyMapper
          extends Mapper<LongWritable, Text, ImmutableBytesWritable, Put> {
        @Override
        protected void map(LongWritable at, Text line, Context context)
            throws IOException, InterruptedException {
          byte[] row = Bytes.toBytes(line.toString());
          Put put = new Put(row).addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), row);
          context.write(new ImmutableBytesWritable(row), put);
        }
      }
      """;

  @Test
  void aJobLoadsWhatItsMapperPuts() throws Exception {
    create(b(row(50)));
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      lines.append(row(i)).append('\n');
    }
    Path input = Files.writeString(directory.resolve("rows.txt"), lines.toString());
    String parameters =
        "Job job, Connection connection, TableName table, org.apache.hadoop.fs.Path output";
    try (CompiledJava program = compiled(parameters, block("BulkLoadJob.run"), PUTS)) {
      Job job = Job.getInstance(configuration());
      FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
      var output = new org.apache.hadoop.fs.Path(directory.resolve("out").toUri());
      call(program, job, connection, name, output);
    }
    assertEquals(100, scanned(name, new Scan()).size());
  }

  /** The page shows parts of a program, which another test runs. */
  @Test
  void whatThePageShowsOfMilesByCarrierIsInTheProgram() throws Exception {
    Set<String> program =
        Files.readAllLines(Path.of("../docs/examples/MilesByCarrier.java")).stream()
            .map(String::trim)
            .collect(Collectors.toSet());
    String whole = String.join(" ", program);
    for (String line : block("BatchInputFormat.setTable").lines().map(String::trim).toList()) {
      String shown = line.replaceFirst("; //.*", ";").replace("\"flights\"", "args[0]");
      boolean title = line.isEmpty() || line.startsWith("//");
      boolean wrapped = // the formatter breaks it
          line.startsWith("private static final")
              && whole.contains(line.substring(line.indexOf('"')));
      assertTrue(title || wrapped || program.contains(shown), line);
    }
  }

  @Test
  void flightsByCarrierCountsATableAndASnapshot() throws Exception {
    List<String> expected = List.of("AA\t3", "B6\t1", "DL\t1", "UA\t1");
    for (String way : List.of("table", "snapshot")) {
      Path output = directory.resolve(way);
      try (CompiledJava program = CompiledJava.example(directory, "FlightsByCarrier")) {
        Configuration conf = configuration();
        conf.setInt("hbase.client.retries.number", 2); // of the removal at the end of this process
        conf.setInt("zookeeper.recovery.retry", 0);
        String[] arguments = {
          "-Dgrampus.mapreduce.splits=3", way, FLIGHTS.toString(), output.toUri().toString()
        };
        assertEquals(0, program.run("FlightsByCarrier", conf, arguments));
      }
      assertEquals(expected, Files.readAllLines(output.resolve("part-r-00000")), way);
    }
    admin.deleteSnapshots(java.util.regex.Pattern.compile("flights-job_.*"));
  }
}
