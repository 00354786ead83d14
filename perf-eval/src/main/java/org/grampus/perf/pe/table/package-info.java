/** The table of a test. */
package org.grampus.perf.pe.table;
