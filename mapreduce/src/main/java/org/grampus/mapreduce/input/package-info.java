/**
 * Input formats of jobs: a table through its servers, or a snapshot's files without them.
 *
 * <p>From large to small: a region is cut into pieces, of which the files' indexes know the bytes;
 * a piece within the scan into slices, which a plan weighs; and slices are joined to splits, whose
 * rows in one region are a part. A {@link org.grampus.mapreduce.input.KeyRange} is rows; a KeySpan
 * is such a range as numbers, for guesses where no piece is known.
 *
 * <p>SplitPlan and what it is made of are pure. Their invariant: the ranges of all splits are the
 * scan's range over the regions, no row is in two of them, and a guess about where rows are changes
 * sizes only.
 */
package org.grampus.mapreduce.input;
