package org.grampus.server.rpc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The services of one server by name. Any thread. */
public final class ServiceRegistry {
  private final Map<String, RpcService> services = new ConcurrentHashMap<>();

  /** Adds a service; a second one of the same name is refused. */
  public ServiceRegistry add(RpcService service) {
    if (services.putIfAbsent(service.name(), service) != null) {
      throw new IllegalArgumentException("service " + service.name() + " is already registered");
    }
    return this;
  }

  /** The service of this name, or null. */
  public RpcService find(String name) {
    return services.get(name);
  }
}
