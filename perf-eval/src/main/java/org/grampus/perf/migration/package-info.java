/**
 * A migration of tables from a stock HBase to Grampus and back, as docs/cluster.md tells it to an
 * operator: with HBase's own tools, while an application writes. What a pass takes, and what must
 * be in a table, follows from numbers and lists alone, without a server.
 */
package org.grampus.perf.migration;
