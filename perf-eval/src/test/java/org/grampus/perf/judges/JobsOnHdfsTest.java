package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.grampus.perf.process.ProgramEnd;
import org.junit.jupiter.api.Test;

/** What the output of a count by splits for each server means. */
class JobsOnHdfsTest {
  private static List<String> objections(int code, String output) {
    Objections objections = Objections.of(new ProgramEnd(0, ""));
    new JobsOnHdfs(100).count(objections, new ProgramEnd(code, output), 3);
    return objections.with("").objections();
  }

  @Test
  void eachServerHasItsSplits() {
    assertEquals(
        List.of(), objections(0, "mapreduce.JobSubmitter: number of splits:9\n\tROWS=100\n"));
  }

  @Test
  void otherNumbersAreObjections() {
    assertEquals(
        List.of("9 splits were to be, and 5 are"),
        objections(0, "mapreduce.JobSubmitter: number of splits:5\n\tROWS=100\n"));
    assertEquals(
        List.of(
            "the count's exit code is 1",
            "0 rows counted of 100 loaded",
            "9 splits were to be, and no are"),
        objections(1, "no job\n"));
  }
}
