/** HBase's PerformanceEvaluation: what it is asked to do, and what it printed. */
package org.grampus.perf.stock;
