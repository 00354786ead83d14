/** Clients as tasks of a MapReduce job. */
package org.grampus.perf.pe.job;
