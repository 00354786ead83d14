/**
 * YCSB's core workloads on the stock HBase client. YCSB's own client program is left out: it needs
 * a tracing library that nothing else here does, and its loop is a few lines.
 */
package org.grampus.perf.ycsb;
