/**
 * Processes on this machine: servers that are measured, clients that are run against them, and what
 * the kernel says about both. Nothing that was started outlives the tool ({@link
 * org.grampus.perf.process.Leftovers}).
 */
package org.grampus.perf.process;
