package org.grampus.server.info;

import java.util.ArrayList;
import java.util.List;

/**
 * Names of a record's metrics as of the text before. A record has its metrics in the same order
 * each time, so that the next name is found at its place; one that is not there is made. Names of
 * metrics that have left go with the next text. One thread.
 */
final class PrometheusNames {
  /** Those of some 4,000 regions; names behind them are made each time. */
  static final int MAX = 1 << 17;

  private final String record;
  private final List<Name> names = new ArrayList<>();
  private int place;

  private record Name(String metric, byte[] text) {}

  PrometheusNames(String record) {
    this.record = record;
  }

  String record() {
    return record;
  }

  /** The next name is the record's first. */
  void begin() {
    place = 0;
  }

  /** The name of the record's next metric. */
  byte[] next(String metric) {
    int at = place++;
    Name kept = at < names.size() ? names.get(at) : null;
    if (kept != null && kept.metric.equals(metric)) { // mostly the same object
      return kept.text;
    }
    Name made = new Name(metric, PrometheusName.of(record, metric));
    if (kept != null) {
      names.set(at, made);
    } else if (at < MAX) {
      names.add(made);
    }
    return made.text;
  }

  /** Drops names behind the record's last. */
  void end() {
    if (place < names.size()) {
      names.subList(place, names.size()).clear();
    }
  }

  /** Names that are kept. */
  int size() {
    return names.size();
  }
}
