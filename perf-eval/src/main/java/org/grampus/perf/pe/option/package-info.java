/** What a run is asked to do: the command line, and what it means. */
package org.grampus.perf.pe.option;
