/** The commands of {@code bin/grampus perf}, one class each; what each measures, and finds. */
package org.grampus.perf.command;
