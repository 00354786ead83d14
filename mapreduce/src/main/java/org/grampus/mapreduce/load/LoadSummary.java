package org.grampus.mapreduce.load;

/**
 * What a load did.
 *
 * @param files that are in the table now
 * @param bytes of these files
 * @param regions that took some of them
 * @param cut files that had rows of several regions and were cut
 * @param millis how long it took
 */
public record LoadSummary(int files, long bytes, int regions, int cut, long millis) {}
