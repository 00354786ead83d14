/** The commands of {@code bin/grampus perf}, one class each. */
package org.grampus.perf.command;
