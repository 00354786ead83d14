package org.grampus.server.metrics;

import io.netty.buffer.PooledByteBufAllocator;
import org.apache.hadoop.hbase.ipc.MetricsHBaseServerWrapper;
import org.apache.hadoop.hbase.util.Pair;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.netty.RpcServer;
import org.grampus.server.rpc.Dispatcher;

/**
 * Queues, handlers and connections for HBase's bean {@code sub=IPC}; all 0 before the server is
 * there. Reads, writes and scans have no queues of their own here, as in HBase by default. Any
 * thread.
 */
final class RpcGauges implements MetricsHBaseServerWrapper {
  private volatile RpcServer server;

  void server(RpcServer rpc) {
    server = rpc;
  }

  private interface Gauge {
    long of(Dispatcher dispatcher);
  }

  private int of(Gauge gauge) {
    RpcServer rpc = server;
    return rpc == null ? 0 : Math.toIntExact(gauge.of(rpc.dispatcher()));
  }

  /** In bytes, as HBase's. */
  @Override
  public long getTotalQueueSize() {
    RpcServer rpc = server;
    return rpc == null ? 0 : rpc.dispatcher().bytesInFlight();
  }

  /** Those that wait for a time, without a handler, included. */
  @Override
  public int getGeneralQueueLength() {
    return of(dispatcher -> dispatcher.queuedCalls() + dispatcher.delayedCalls());
  }

  @Override
  public int getPriorityQueueLength() {
    return of(Dispatcher::queuedPriorityCalls);
  }

  @Override
  public int getNumOpenConnections() {
    RpcServer rpc = server;
    return rpc == null ? 0 : rpc.connectionCount();
  }

  @Override
  public int getActiveRpcHandlerCount() {
    return of(Dispatcher::activeHandlers);
  }

  @Override
  public int getActiveGeneralRpcHandlerCount() {
    return of(dispatcher -> dispatcher.activeHandlers() - dispatcher.activePriorityHandlers());
  }

  @Override
  public int getActivePriorityRpcHandlerCount() {
    return of(Dispatcher::activePriorityHandlers);
  }

  @Override
  public long getNettyDmUsage() {
    return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }

  /** The largest of one connection is not kept. */
  @Override
  public Pair<Long, Long> getTotalAndMaxNettyOutboundBytes() {
    RpcServer rpc = server;
    return Pair.newPair(rpc == null ? 0 : rpc.dispatcher().account().used(MemoryUse.REPLIES), 0L);
  }

  @Override
  public int getReplicationQueueLength() {
    return 0;
  }

  @Override
  public int getBulkLoadQueueLength() {
    return 0;
  }

  @Override
  public int getMetaPriorityQueueLength() {
    return 0;
  }

  @Override
  public int getActiveReplicationRpcHandlerCount() {
    return 0;
  }

  @Override
  public int getActiveBulkLoadRpcHandlerCount() {
    return 0;
  }

  @Override
  public int getActiveMetaPriorityRpcHandlerCount() {
    return 0;
  }

  @Override
  public long getNumGeneralCallsDropped() {
    return 0;
  }

  @Override
  public long getNumLifoModeSwitches() {
    return 0;
  }

  @Override
  public int getWriteQueueLength() {
    return 0;
  }

  @Override
  public int getReadQueueLength() {
    return 0;
  }

  @Override
  public int getScanQueueLength() {
    return 0;
  }

  @Override
  public int getActiveWriteRpcHandlerCount() {
    return 0;
  }

  @Override
  public int getActiveReadRpcHandlerCount() {
    return 0;
  }

  @Override
  public int getActiveScanRpcHandlerCount() {
    return 0;
  }
}
