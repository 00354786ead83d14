/**
 * The comparison with a stock HBase: {@link org.grampus.perf.compare.Catalogue} lists its rows,
 * each a {@link org.grampus.perf.compare.Work} on a {@link org.grampus.perf.compare.DataSet} with
 * the {@link org.grampus.perf.compare.Goal} it has to reach; {@link org.grampus.perf.compare.Round}
 * measures them on two servers, in turn or at once; {@link org.grampus.perf.compare.Comparison}
 * says what came of all rounds, and {@link org.grampus.perf.compare.ComparisonFiles} writes it. See
 * docs/design/0050.
 */
package org.grampus.perf.compare;
