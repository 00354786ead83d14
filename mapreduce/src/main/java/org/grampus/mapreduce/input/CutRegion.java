package org.grampus.mapreduce.input;

/**
 * A region that a plan cuts.
 *
 * @param index its index in the list that is planned
 * @param region what is known of it
 * @param pieceBytes about how many bytes its pieces should have
 */
record CutRegion(int index, RegionPieces region, long pieceBytes) {}
