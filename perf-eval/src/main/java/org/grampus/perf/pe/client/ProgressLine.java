package org.grampus.perf.pe.client;

import org.HdrHistogram.Histogram;
import org.grampus.perf.pe.measure.LatencyText;
import org.grampus.perf.pe.option.Share;

/** How far a client is, in the words of HBase's class. */
final class ProgressLine {
  private ProgressLine() {}

  static String of(Share share, long index, Histogram micros) {
    return "row [start="
        + share.start()
        + ", current="
        + (share.start() + index)
        + ", last="
        + share.end()
        + "], latency ["
        + LatencyText.brief(micros)
        + "]";
  }
}
