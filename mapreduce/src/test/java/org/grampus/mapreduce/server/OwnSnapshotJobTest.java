package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.keys.JobKeys;
import org.grampus.mapreduce.snapshot.OwnSnapshot;
import org.grampus.mapreduce.snapshot.SnapshotRemoval;
import org.junit.jupiter.api.Test;

/** Jobs that take a snapshot for themselves, which goes with them. */
class OwnSnapshotJobTest extends SnapshotCase {
  @Test
  void aJobTakesItsOwnSnapshot() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    Job job = job(configuration(), SnapshotInputFormat.class, all());
    job.getConfiguration().set(JobKeys.SNAPSHOT_TABLE, name.getNameAsString());
    // At the end of this process there is no server to remove the snapshot from.
    job.getConfiguration().setInt("hbase.client.retries.number", 1);
    job.getConfiguration().setInt("zookeeper.recovery.retry", 0);
    assertEquals(scanned(name, all()), run(job));
    List<SnapshotDescription> taken = snapshots();
    assertEquals(1, taken.size());
    assertEquals(name.getNameAsString() + "-" + job.getJobID(), taken.get(0).getName());
    assertEquals(7 * 24 * 3600, taken.get(0).getTtl());
  }

  /** What an application of HBase's old and new formats does with a configuration. */
  @Test
  void aConfigurationThatIsUsedAgainReadsWhatWasSetLast() throws Exception {
    JobConf old = new JobConf(configuration());
    org.grampus.mapreduce.mapred.SnapshotInputFormat.setInput(old, "s");
    org.grampus.mapreduce.mapred.SnapshotInputFormat.setTable(old, name);
    assertNull(old.get(HBaseKeys.SNAPSHOT_NAME));
    org.grampus.mapreduce.mapred.SnapshotInputFormat.setInput(old, "s");
    assertNull(old.get(JobKeys.SNAPSHOT_TABLE));
    Job job = Job.getInstance(configuration());
    SnapshotInputFormat.setInput(job, "s");
    SnapshotInputFormat.setTable(job, name);
    assertNull(job.getConfiguration().get(HBaseKeys.SNAPSHOT_NAME));
    SnapshotInputFormat.setInput(job, "s");
    assertNull(job.getConfiguration().get(JobKeys.SNAPSHOT_TABLE));
  }

  @Test
  void aJobThatNamesASnapshotAndATableIsRefused() throws Exception {
    create();
    Job job = job(snapshot(name), all());
    job.getConfiguration().set(JobKeys.SNAPSHOT_TABLE, name.getNameAsString());
    IOException refused = assertThrows(IOException.class, () -> job.waitForCompletion(false));
    assertTrue(refused.getMessage().contains("unset " + HBaseKeys.SNAPSHOT_NAME + " or "));
    assertTrue(snapshots().isEmpty());
  }

  @Test
  void aJobOfAFinishedJobsConfigurationTakesASnapshotOfItsOwn() throws Exception {
    create();
    table.put(new Put(b("a")).addColumn(F, b("q"), b("v")));
    JobConf first = new JobConf(configuration());
    org.grampus.mapreduce.mapred.SnapshotInputFormat.setTable(first, name);
    String table = name.getNameAsString();
    assertEquals(table + "-job_1_6", planned("job_1_6", first));
    assertEquals(table + "-job_1_6", planned("job_1_6", first), "planned once more");
    assertEquals(table + "-job_1_7", planned("job_1_7", new JobConf(first)));
    assertEquals(2, snapshots().size());
  }

  /** The directory of a job that has not ended. */
  private Path staged(String id) throws IOException {
    return new Path(Files.createDirectories(directory.resolve(id)).toUri());
  }

  /** The snapshot that a job of this id reads. */
  private String planned(String id, JobConf job) throws IOException {
    job.set("mapreduce.job.dir", staged(id).toString());
    assertEquals(
        1, new org.grampus.mapreduce.mapred.SnapshotInputFormat().getSplits(job, 1).length);
    return job.get(HBaseKeys.SNAPSHOT_NAME);
  }

  @Test
  void anOwnSnapshotIsGoneWhenItIsClosed() throws Exception {
    create();
    table.put(new Put(b("a")).addColumn(F, b("q"), b("v")));
    try (OwnSnapshot own = OwnSnapshot.take(configuration(), name, "job")) {
      assertEquals(1, snapshots().size());
      assertFalse(own.handOver(configuration()), "the local runner has no application master");
      assertEquals(1, run(job(own.name(), all())).size());
    }
    assertTrue(snapshots().isEmpty());
  }

  @Test
  void aSnapshotOfTheSameNameIsRefusedAndStays() throws Exception {
    create();
    admin.snapshot(name.getNameAsString() + "-job", name);
    assertThrows(
        SnapshotExistsException.class, () -> OwnSnapshot.take(configuration(), name, "job"));
    assertEquals(1, snapshots().size());
  }

  @Test
  void anOwnSnapshotStaysWhileItsJobRunsAndGoesAtItsEnd() throws Exception {
    create();
    Configuration job = configuration();
    job.set("mapreduce.framework.name", "yarn");
    job.set("mapreduce.job.dir", staged("job_1_1").toString());
    OwnSnapshot own = OwnSnapshot.take(configuration(), name, "job_1_1");
    assertTrue(own.handOver(job));
    own.close();
    assertEquals(1, snapshots().size(), "the process that submitted the job ends before it");
    assertTrue(new SnapshotRemoval().notifyOnce(null, job));
    assertTrue(snapshots().isEmpty());
    assertTrue(new SnapshotRemoval().notifyOnce(null, job), "told once more");
  }

  /** As jobs of a scheduler have one. */
  @Test
  void anOwnSnapshotOfAJobWithAnotherListenerStaysWhileItRuns() throws Exception {
    create();
    Configuration job = configuration();
    job.set("mapreduce.framework.name", "yarn");
    job.set("mapreduce.job.dir", staged("job_1_3").toString());
    job.set("mapreduce.job.end-notification.url", "http://scheduler/");
    OwnSnapshot own = OwnSnapshot.take(configuration(), name, "job_1_3");
    assertFalse(own.handOver(job));
    own.close();
    assertEquals(1, snapshots().size());
  }

  @Test
  void anOwnSnapshotGoesWithItsJobWhereTheProcessThatHadToCloseItIsGone() throws Exception {
    create();
    Configuration job = configuration();
    job.set("mapreduce.framework.name", "yarn");
    OwnSnapshot own = OwnSnapshot.take(configuration(), name, "job_1_4");
    assertTrue(own.removeAtEndOf(job));
    assertTrue(new SnapshotRemoval().notifyOnce(null, job));
    assertTrue(snapshots().isEmpty());
    own.close();
  }

  @Test
  void theConfigurationOfAFinishedJobHasNoOtherListener() throws Exception {
    create();
    Configuration job = configuration();
    job.set("mapreduce.framework.name", "yarn");
    for (String id : List.of("job_1_8", "job_1_9")) {
      OwnSnapshot own = OwnSnapshot.take(configuration(), name, id);
      assertTrue(own.removeAtEndOf(job));
      assertTrue(new SnapshotRemoval().notifyOnce(null, job));
      assertTrue(snapshots().isEmpty());
      own.close();
    }
  }

  @Test
  void nobodyTellsOfTheEndOfALocalJob() throws Exception {
    create();
    Configuration job = configuration();
    try (OwnSnapshot own = OwnSnapshot.take(configuration(), name, "job_1_5")) {
      assertFalse(own.removeAtEndOf(job));
    }
    assertTrue(snapshots().isEmpty());
  }

  @Test
  void anOwnSnapshotIsGoneWhenTheSubmissionFails() throws Exception {
    create();
    Configuration job = configuration();
    job.set("mapreduce.framework.name", "yarn");
    job.set("mapreduce.job.dir", directory.resolve("gone").toUri().toString());
    OwnSnapshot own = OwnSnapshot.take(configuration(), name, "job_1_2");
    assertTrue(own.handOver(job));
    own.close();
    assertTrue(snapshots().isEmpty());
  }

  @Test
  void aPlanThatFailsLeavesNoSnapshot() throws Exception {
    create();
    Job job = job(configuration(), SnapshotInputFormat.class, all());
    job.getConfiguration().set(JobKeys.SNAPSHOT_TABLE, name.getNameAsString());
    job.getConfiguration().set("grampus.mapreduce.splits", "0");
    assertThrows(IllegalArgumentException.class, () -> job.waitForCompletion(false));
    assertTrue(snapshots().isEmpty());
  }
}
