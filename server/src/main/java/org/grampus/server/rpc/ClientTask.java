package org.grampus.server.rpc;

/** What a handler does for a connection, and enters in the record of its work. */
abstract class ClientTask implements HandlerPool.Task {
  private final Connection connection;

  ClientTask(Connection connection) {
    this.connection = connection;
  }

  @Override
  public final Object address() {
    return connection.memoryPeer();
  }

  @Override
  public final Object connection() {
    return connection;
  }

  @Override
  public final void took(long nanos) {
    connection.work().add(nanos);
  }
}
