/** The command: {@code bin/grampus pe}. */
package org.grampus.perf.pe.command;
