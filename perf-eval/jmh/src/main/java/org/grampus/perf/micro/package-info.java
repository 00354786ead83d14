/**
 * Microbenchmarks of a call's way through the server, by JMH: each takes one part of it, with the
 * requests of HBase's client. {@code bin/grampus jmh} runs them and reports allocation, too.
 */
package org.grampus.perf.micro;
