package org.grampus.server.rpc;

/** A service that connections name in their header. */
public interface RpcService {
  /** The service's simple name, such as {@code ClientService}. */
  String name();

  /** The method of this name, or null. */
  RpcMethod method(String name);

  /** Whether it serves the cluster rather than applications; large requests then go first. */
  default boolean isSystem() {
    return false;
  }
}
