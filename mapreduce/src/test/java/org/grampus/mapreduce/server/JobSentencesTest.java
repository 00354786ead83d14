package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotTTLExpiredException;
import org.apache.hadoop.mapreduce.Job;
import org.grampus.mapreduce.columns.BatchRequest;
import org.grampus.mapreduce.columns.TableBatches;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.input.TableInputFormat;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.keys.JobKeys;
import org.grampus.mapreduce.snapshot.Snapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is not there or not possible is one sentence that names it, and leaves nothing behind. */
class JobSentencesTest extends DownloadCase {
  private static final String CSV = "--format=csv";
  private static final String DENIED = "-Dfs.denied.impl=" + DeniedFileSystem.class.getName();

  /** No text, the first and about the last of all keys. */
  private static final List<byte[]> BINARY_KEYS =
      List.of(
          new byte[] {0},
          new byte[] {0, 0},
          new byte[] {'a', (byte) 0x80},
          new byte[] {(byte) 0xFF, (byte) 0xFE},
          new byte[] {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0});

  @AfterEach
  void dropSnapshots() throws IOException {
    admin.deleteSnapshots(Pattern.compile(Pattern.quote(name.getNameAsString()) + ".*"));
  }

  private Job ofSnapshot(String snapshot) throws IOException {
    Job job = job(configuration(), SnapshotInputFormat.class, new Scan());
    job.getConfiguration().set(HBaseKeys.SNAPSHOT_NAME, snapshot);
    return job;
  }

  private static void assertSentence(Throwable error, String part) {
    assertTrue(error.getMessage().contains(part), error.getMessage());
    assertEquals(1, error.getMessage().lines().count(), error.getMessage());
  }

  @Test
  void aTableOrASnapshotThatIsNotThereIsNamed() throws Exception {
    Job ofTable = job(configuration(), TableInputFormat.class, new Scan());
    assertSentence(
        assertThrows(TableNotFoundException.class, () -> ofTable.waitForCompletion(false)),
        name.getNameAsString());
    Job ofSnapshot = ofSnapshot("nothing");
    assertSentence(
        assertThrows(
            SnapshotDoesNotExistException.class, () -> ofSnapshot.waitForCompletion(false)),
        "there is no completed snapshot nothing");
    Job own = job(configuration(), SnapshotInputFormat.class, new Scan());
    own.getConfiguration().set(JobKeys.SNAPSHOT_TABLE, name.getNameAsString());
    IOException ofNone = assertThrows(IOException.class, () -> own.waitForCompletion(false));
    assertTrue(ofNone.getMessage().contains(name.getNameAsString()), ofNone.getMessage());
    assertTrue(refusal("none", CSV).contains(name.getNameAsString()));
    assertTrue(
        refusal("through", CSV, "--server", "--columns=f:q=q").contains(name.getNameAsString()));
  }

  @Test
  void aSnapshotWhoseTimeIsOverIsRefusedByAllReaders() throws Exception {
    create();
    table.put(new Put(b("r")).addColumn(F, b("q0"), b("v")));
    String snapshot = name.getNameAsString() + "Expired";
    admin.snapshot(new SnapshotDescription(snapshot, name, SnapshotType.FLUSH, Map.of("TTL", 1L)));
    awaitExpiry(snapshot);
    String sentence = "was to live for 1 s, which are over; take another one";
    Job job = ofSnapshot(snapshot);
    assertSentence(
        assertThrows(SnapshotTTLExpiredException.class, () -> job.waitForCompletion(false)),
        sentence);
    assertTrue(refusal("expired", CSV, "--snapshot=" + snapshot).contains(sentence));
    BatchRequest request = BatchRequest.of(name).ofSnapshot(snapshot);
    assertSentence(
        assertThrows(IOException.class, () -> TableBatches.open(configuration(), request)),
        sentence);
  }

  private void awaitExpiry(String snapshot) throws Exception {
    boolean alive = true;
    while (alive) {
      try {
        Snapshot.open(configuration(), snapshot);
        Thread.sleep(20);
      } catch (SnapshotTTLExpiredException e) {
        alive = false;
      }
    }
  }

  @Test
  void aPlaceThatCannotBeWrittenIsNamed() throws Exception {
    create();
    fill(10);
    Files.writeString(target("file"), "");
    String below = "--to=" + target("file").resolve("below");
    for (String way : List.of("--direct", "--server")) {
      String said = refusal("file/below", CSV, way, below, "--columns=" + COLUMNS);
      assertTrue(said.contains("file"), said);
    }
    assertTrue(admin.listSnapshots().stream().noneMatch(s -> s.getTableName().equals(name)));
  }

  @Test
  void aPlaceThatMayNotBeWrittenIsNamed() throws Exception {
    create();
    fill(10);
    for (String way : List.of("--direct", "--server")) {
      String to = "--to=denied://" + target("denied");
      String said = refusal("denied", CSV, way, to, DENIED, "--columns=" + COLUMNS);
      assertTrue(said.contains("Permission denied") && said.contains("/denied"), said);
      assertFalse(Files.exists(target("denied")));
    }
    assertTrue(admin.listSnapshots().stream().noneMatch(s -> s.getTableName().equals(name)));
  }

  @Test
  void binaryKeysAreReadWhole() throws Exception {
    create(new byte[] {'a'}, new byte[] {(byte) 0xFF, (byte) 0xFF});
    for (byte[] key : BINARY_KEYS) {
      table.put(new Put(key).addColumn(F, b("q0"), b("v")));
    }
    List<String> expected = scanned(name, new Scan());
    assertEquals(BINARY_KEYS.size(), expected.size());
    String snapshot = name.getNameAsString() + "Binary";
    admin.snapshot(snapshot, name);
    for (int splits : new int[] {1, 5}) {
      Job ofTable = job(configuration(), TableInputFormat.class, new Scan());
      Job ofFiles = ofSnapshot(snapshot);
      for (Job job : List.of(ofTable, ofFiles)) {
        job.getConfiguration().setInt("grampus.mapreduce.splits", splits);
        assertEquals(expected, run(job));
      }
    }
    assertEquals(0, download("seq", "--format=seq"));
    assertEquals(inOrder(name, new Scan()), sequences(parts("seq")));
    String said = refusal("text", CSV, "--columns=:key=k:string,f:q0=v:string");
    assertTrue(said.contains("\\x80") || said.contains("\\xFF"), said);
  }
}
