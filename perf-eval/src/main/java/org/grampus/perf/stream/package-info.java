/**
 * Output streams that a log on HDFS could have, written as the engine writes its log, and what a
 * group costs on each. docs/design/0051 has the question.
 */
package org.grampus.perf.stream;
