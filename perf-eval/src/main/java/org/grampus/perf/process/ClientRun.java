package org.grampus.perf.process;

/**
 * A client's run that has ended well.
 *
 * @param output what it printed, errors included
 * @param wallNanos from its start to its end
 * @param cpuMicros its processor time, and that of other clients which ended meanwhile
 */
public record ClientRun(String output, long wallNanos, long cpuMicros) {}
