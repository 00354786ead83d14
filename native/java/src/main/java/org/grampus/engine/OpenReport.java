package org.grampus.engine;

/**
 * What the open of a region found.
 *
 * @param openSeqNum the sequence number that it chose
 * @param replayedEdits edits of a log that it replayed
 */
public record OpenReport(long openSeqNum, long replayedEdits) {}
