package org.grampus.perf.pe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A table, and runs of HBase's class and of ours on it, with clients as threads.
 *
 * @param name of the table
 */
record DefectTable(String name) {
  /** Arguments that all runs have. */
  String common() {
    return "--nomapred --table=" + name + " ";
  }

  /** A run of HBase's class. */
  PeRun stock(String line) throws Exception {
    return PeRun.stock(common() + line);
  }

  /** A run of ours. */
  PeRun ours(String line) throws Exception {
    return PeRun.of(common() + line);
  }

  /** What a run of HBase's class asks for. */
  Witness watchStock(String line) throws Exception {
    return Witness.of(PeServer.get().configuration(), conf -> PeRun.stock(conf, common() + line));
  }

  /** What a run of ours asks for. */
  Witness watchOurs(String line) throws Exception {
    return Witness.of(PeServer.get().configuration(), conf -> PeRun.of(conf, common() + line));
  }

  /** Writes rows of small values, from row 0. */
  void fill(int rows) throws Exception {
    assertEquals(0, ours("--valueSize=10 --rows=" + rows + " sequentialWrite 1").exit());
  }

  /** How many rows there are. */
  int rows() throws Exception {
    return PeRun.rows(name).size();
  }

  /** Drops it if it is there. */
  void drop() throws Exception {
    PeRun.drop(name);
  }
}
