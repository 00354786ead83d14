package org.grampus.perf.process;

/**
 * How a program has ended.
 *
 * @param code its exit code
 * @param output what it printed, errors included
 */
public record ProgramEnd(int code, String output) {}
