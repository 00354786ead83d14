package org.grampus.mapreduce.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.grampus.compat.suite.target.LastingServer;
import org.grampus.mapreduce.server.JobServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that submits jobs without end keeps no snapshot of one that has ended. */
class OpenSnapshotsTest {
  private static final TableName NAME = TableName.valueOf("openSnapshots");

  /** A connection of a class that is not there fails at once. */
  private static final String CONNECTION_CLASS = "hbase.client.connection.impl";

  @TempDir Path staging;
  private LastingServer server;
  private Admin admin;

  @BeforeEach
  void create() throws Exception {
    server = JobServer.get();
    admin = server.connection().getAdmin();
    admin.createTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build());
  }

  @AfterEach
  void drop() throws Exception {
    for (OwnSnapshot each : open()) {
      each.close();
    }
    admin.deleteSnapshots(Pattern.compile(NAME + "-.*"));
    admin.disableTable(NAME);
    admin.deleteTable(NAME);
    admin.close();
  }

  /** Those of this test; others may have left theirs to the end of the process. */
  private static List<OwnSnapshot> open() {
    return OpenSnapshots.ofProcess().all().stream()
        .filter(each -> each.name().startsWith(NAME + "-"))
        .toList();
  }

  private void assertOpen(OwnSnapshot... expected) throws Exception {
    assertEquals(List.of(expected), open());
    assertEquals(
        open().stream().map(OwnSnapshot::name).toList(),
        admin.listSnapshots(Pattern.compile(NAME + "-.*")).stream()
            .map(SnapshotDescription::getName)
            .sorted()
            .toList());
  }

  private Configuration job(String framework, String id) throws Exception {
    Configuration job = server.configuration();
    job.set("mapreduce.framework.name", framework);
    Path directory = Files.createDirectory(staging.resolve(id));
    job.set("mapreduce.job.dir", directory.toUri().toString());
    return job;
  }

  /** As the submission of a job takes one. */
  private static OwnSnapshot taken(Configuration job, String id) throws Exception {
    OwnSnapshot own = OwnSnapshot.take(job, NAME, id);
    own.handOver(job);
    return own;
  }

  private OwnSnapshot taken(String framework, String id) throws Exception {
    return taken(job(framework, id), id);
  }

  private void end(String id) throws Exception {
    Files.delete(staging.resolve(id));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "yarn"})
  void thatOfAJobThatHasEndedGoesWhenTheNextOneIsTaken(String framework) throws Exception {
    OwnSnapshot first = taken(framework, "1");
    OwnSnapshot second = taken(framework, "2");
    assertOpen(first, second);
    end("1");
    OwnSnapshot third = taken(framework, "3");
    assertOpen(second, third);
    end("3");
    end("2");
    assertOpen(taken(framework, "4"));
  }

  @Test
  void whatNoJobHasIsOpenUntilItsProgramClosesIt() throws Exception {
    OwnSnapshot own = OwnSnapshot.take(server.configuration(), NAME, "1");
    OwnSnapshot next = OwnSnapshot.take(server.configuration(), NAME, "2");
    assertOpen(own, next);
    own.close();
    assertOpen(next);
  }

  @Test
  void oneThatWasNotTakenIsLookedForOnceMore() throws Exception {
    TableName missing = TableName.valueOf(NAME + "-missing");
    assertThrows(IOException.class, () -> OwnSnapshot.take(server.configuration(), missing, "1"));
    assertEquals(1, open().size(), "the master may take it still");
    assertOpen(taken("local", "2"));
  }

  @Test
  void oneThatCannotBeRemovedHoldsUpNoFurtherJob() throws Exception {
    Configuration job = job("local", "1");
    OwnSnapshot first = taken(job, "1");
    end("1");
    job.set(CONNECTION_CLASS, "none");
    OwnSnapshot second = taken("local", "2");
    assertOpen(first, second);
    job.unset(CONNECTION_CLASS);
    OwnSnapshot third = taken("local", "3");
    assertOpen(first, second, third);
    first.closeAtExit();
    assertOpen(second, third);
  }

  @Test
  @Timeout(60)
  void oneWhoseMasterIsAwayIsLeftToItsTimeToLive() throws Exception {
    Configuration conf = server.configuration();
    OwnSnapshot own = OwnSnapshot.take(conf, NAME, "1");
    try (ServerSocket silent = new ServerSocket(0)) {
      conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.ZKConnectionRegistry");
      conf.set(HConstants.ZOOKEEPER_QUORUM, "localhost");
      conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, silent.getLocalPort());
      IOException refusal = assertThrows(IOException.class, own::close);
      assertEquals(
          "no master has removed snapshot openSnapshots-1 within 10 s; it goes when its time to"
              + " live is over, or delete it in the shell",
          refusal.getMessage());
      assertEquals(List.of(), open(), "the end of the process does not wait for it again");
    }
  }
}
