/** Jobs that read a whole table, in as many ways as there are: programs, and what they print. */
package org.grampus.perf.scan;
