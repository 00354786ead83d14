package org.grampus.perf.pe.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.grampus.perf.pe.key.RowKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What jobs of HBase's class do wrong and those of ours do not, each shown by a run of both. */
final class StockJobDefectsTest {
  private static final DefectTable TABLE = new DefectTable("PeJobDefects");

  /** With a name as long as this two lines of the four clients below have the same hash. */
  private static final DefectTable COLLIDING = new DefectTable("PeHash".repeat(7));

  @TempDir private static Path work;

  @BeforeEach
  @AfterEach
  void drop() throws Exception {
    TABLE.drop();
    COLLIDING.drop();
  }

  /** A directory for one job: HBase's class calls those of a second alike. */
  private static LocalJobs place() throws Exception {
    return new LocalJobs(Files.createTempDirectory(work, "job"));
  }

  private static Witness stock(Configuration conf, String line) throws Exception {
    return Witness.of(
        conf, watched -> PeRun.stock(watched, "--table=" + TABLE.name() + " " + line));
  }

  private static Witness ours(Configuration conf, String line) throws Exception {
    return Witness.of(conf, watched -> PeRun.of(watched, "--table=" + TABLE.name() + " " + line));
  }

  @Test
  void aClientOfHBaseIsLostToAHash() throws Exception {
    String line =
        "--table="
            + COLLIDING.name()
            + " --valueSize=10 --rows=22382 --sampleRate=0.0001 randomWrite 4";
    LocalJobs ofStock = place();
    assertEquals(0, stock(ofStock.configuration(), line).run().exit());
    assertEquals(3, tasks(ofStock));

    LocalJobs ofOurs = place();
    assertEquals(0, ours(ofOurs.configuration(), line).run().exit());
    assertEquals(4, tasks(ofOurs));
  }

  private static int tasks(LocalJobs jobs) throws Exception {
    return LocalJobs.input(jobs.directories().iterator().next()).size();
  }

  private static byte[] firstRow() throws Exception {
    return PeRun.rows(TABLE.name()).get(0).getRow();
  }

  @Test
  void jobsOfHBaseHaveAFirstRowOfTheirOwn() throws Exception {
    String line = "--valueSize=10 --rows=5 --startRow=100 sequentialWrite 1";
    assertEquals(0, stock(place().configuration(), line).run().exit());
    assertArrayEquals(RowKey.of(0), firstRow());
    TABLE.drop();

    assertEquals(0, ours(place().configuration(), line).run().exit());
    assertArrayEquals(RowKey.of(100), firstRow());
  }

  @Test
  void jobsOfHBaseForgetTheRowsThatWereAskedForAndTheirConnections() throws Exception {
    TABLE.fill(10);
    // ten rows of 0.2 GB, of which three are to be read
    String line = "--valueSize=10000000 --columns=20 --size=2 --rows=3 randomRead 1";
    Witness stock = stock(place().configuration(), line);
    assertEquals(10, stock.gets());
    assertEquals(2, stock.leftOpen(), "one of each kind");

    Witness ours = ours(place().configuration(), line);
    assertEquals(0, ours.run().exit());
    assertEquals(3, ours.gets());
    assertEquals(0, ours.leftOpen());
  }

  @Test
  void jobsOfHBaseThatFailAreSaidToBeWell() throws Exception {
    TABLE.fill(1);
    String line = "--valueSize=1000 --rows=5 sequentialWrite 1";
    assertEquals(0, stock(refusing(), line).run().exit());
    assertEquals(1, TABLE.rows());

    assertEquals(1, ours(refusing(), line).run().exit());
    assertEquals(1, TABLE.rows());
  }

  /** A configuration with which tasks cannot write their values. */
  private static Configuration refusing() throws Exception {
    Configuration conf = place().configuration();
    conf.setInt("hbase.client.keyvalue.maxsize", 100);
    return conf;
  }
}
