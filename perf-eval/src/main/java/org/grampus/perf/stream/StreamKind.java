package org.grampus.perf.stream;

/** A class of output stream, and who calls it how. */
public enum StreamKind {
  /**
   * DFSOutputStream of the HDFS client: from one data node to the next. It could have several
   * groups on their way, with a thread that waits for each; the engine has one thread.
   */
  PIPELINE("pipeline (as our engine calls it)"),

  /** That of hbase-asyncfs: to each data node, over one connection for each. */
  FAN_OUT("fan-out");

  private final String words;

  StreamKind(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}
