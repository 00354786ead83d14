/**
 * Input formats of jobs: a table through its servers, or a snapshot's files without them.
 *
 * <p>{@link org.grampus.mapreduce.input.SplitPlan} and what it is made of are pure. Their
 * invariant: the ranges of all splits are the scan's range over the regions, no row is in two of
 * them, and a guess about where rows are changes sizes only.
 */
package org.grampus.mapreduce.input;
