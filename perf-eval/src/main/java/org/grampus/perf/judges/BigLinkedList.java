package org.grampus.perf.judges;

import java.io.IOException;
import java.util.List;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Counters;
import org.grampus.perf.process.ProgramEnd;

/**
 * HBase's {@code IntegrationTestBigLinkedList}: rows that each point to another one, in circles, so
 * that a row that is lost leaves one that nothing points to and one that points to nothing.
 */
final class BigLinkedList implements Judge {
  private static final String TEST = "org.apache.hadoop.hbase.test.IntegrationTestBigLinkedList";
  private static final int MAPPERS = 2;
  private static final int REDUCERS = 1;

  /** Rows of a mapper are a multiple of width times wrap; its circle closes after them. */
  private static final int WRAP = 25;

  private static final int WIDTH = 1000;

  /** Counts of rows that must not be. */
  private static final List<String> BAD =
      List.of(
          "UNREFERENCED",
          "UNDEFINED",
          "CORRUPT",
          "EXTRAREFERENCES",
          "EXTRA_UNDEF_REFERENCES",
          "LOST_FAMILIES");

  private final int rowsPerMapper;

  /** With about that number of rows. */
  BigLinkedList(int rows) {
    rowsPerMapper = Math.max(1, rows / MAPPERS / WIDTH / WRAP) * WIDTH * WRAP;
  }

  /** How many rows are written. */
  int rows() {
    return MAPPERS * rowsPerMapper;
  }

  @Override
  public Judgement judge(JudgeBench bench) throws ToolException, IOException, InterruptedException {
    return judge(
        bench.jobBesideFaults(
            TEST,
            "Loop",
            "1",
            String.valueOf(MAPPERS),
            String.valueOf(rowsPerMapper),
            "output",
            String.valueOf(REDUCERS),
            String.valueOf(WIDTH),
            String.valueOf(WRAP)));
  }

  /** What its output means. */
  Judgement judge(ProgramEnd end) {
    Counters counters = new Counters(end.output());
    Objections objections = Objections.of(end);
    long referenced = counters.get("REFERENCED");
    objections.unless(
        referenced == rows(), referenced + " rows are referenced of " + rows() + " written");
    for (String name : BAD) {
      objections.unless(counters.get(name) == 0, counters.get(name) + " rows are " + name);
    }
    return objections.with(referenced + " rows referenced");
  }
}
