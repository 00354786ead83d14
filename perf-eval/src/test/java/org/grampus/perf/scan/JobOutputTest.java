package org.grampus.perf.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class JobOutputTest {
  @Test
  void whatAJobPrintsIsReadBack() throws ToolException {
    JobOutput said = new JobOutput(1_000_000, 2_000_000, 1_000_000_000, 4_000);

    assertEquals(said, JobOutput.parse("warnings before\n" + said + "\n"));
    assertEquals(4, said.seconds());
  }

  @Test
  void theLastLineOfADownloadIsRead() throws ToolException {
    JobOutput said = JobOutput.parse("downloaded 1,336,776 rows, 1,234.5 MiB to file:/d in 12.5 s");

    assertEquals(1_336_776, said.rows());
    assertEquals(12_500, said.millis());
  }

  @Test
  void theRowOfAQueryIsRead() throws ToolException {
    String view = "Time taken: 1.5 seconds\n";
    String row = "queried\t1336776\trows\t-42\nTime taken: 12.5 seconds, Fetched 1 row(s)\n";
    JobOutput said = JobOutput.parse(view + row);

    assertEquals(1_336_776, said.rows());
    assertEquals(12_500, said.millis());
  }

  @Test
  void aJobThatDoesNotSayItsRowsIsAnError() {
    assertThrows(ToolException.class, () -> JobOutput.parse("Exception in thread main"));
  }
}
