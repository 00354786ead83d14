package org.grampus.perf.stream;

/** Whose output stream it is. */
public enum StreamKind {
  /** The HDFS client's: from one data node to the next. */
  STOCK("stock"),

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
