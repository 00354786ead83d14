/** Runs of HBase's PerformanceEvaluation that can be repeated and compared. */
package org.grampus.perf;
