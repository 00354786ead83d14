/** What is said about a run: lines as HBase's class prints them, and files. */
package org.grampus.perf.pe.report;
