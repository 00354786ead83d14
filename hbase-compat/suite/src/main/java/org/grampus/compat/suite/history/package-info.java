/**
 * Histories of concurrent clients on a few hot rows, recorded for the judge of linearizability in
 * {@code src/main/go/judge}, while the server flushes, compacts, splits, moves, pauses and dies.
 */
package org.grampus.compat.suite.history;
