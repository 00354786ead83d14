package org.grampus.perf.pe.work;

import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The connection of a client, which its owner closes.
 *
 * @param sync null for tests of the asynchronous client
 * @param async null for other tests
 */
public record ClientConnection(Connection sync, AsyncConnection async) {}
