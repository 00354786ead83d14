/**
 * HBase's own tests and tools as judges of a cluster whose processes die meanwhile, and judges of
 * what they do not look at: splits, merges and balance. What a judge says follows from outputs and
 * lists alone, without a cluster.
 */
package org.grampus.perf.judges;
