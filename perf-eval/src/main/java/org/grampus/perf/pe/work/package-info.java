/** What the tests do for each row. */
package org.grampus.perf.pe.work;
