package org.grampus.perf.compare;

import java.io.IOException;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.MeasuredServer;

/** A table that rows are measured on. Immutable. */
interface DataSet {
  /** Its name. */
  String table();

  /** Makes and fills it on a server that has none of its name, and awaits what this causes. */
  void load(MeasuredServer server, Bench bench)
      throws ToolException, IOException, InterruptedException;
}
