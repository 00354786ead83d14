package org.grampus.perf.pe.client;

import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.Series;
import org.grampus.perf.pe.option.Share;

/**
 * What a client has done.
 *
 * @param client its number
 * @param share its rows in a cycle
 * @param asked operations that it was to do
 * @param counts what it did
 * @param times when
 * @param latencies of measured requests
 * @param series the same second by second
 */
public record ClientResult(
    int client,
    Share share,
    long asked,
    Counts counts,
    Times times,
    Latencies latencies,
    Series series) {}
