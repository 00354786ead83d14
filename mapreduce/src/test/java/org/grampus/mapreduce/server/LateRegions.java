package org.grampus.mapreduce.server;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;

/** A connection whose list of regions is out of date when a client gets it. */
final class LateRegions {
  /** What happens to the regions behind a look at them; the first look has the number 1. */
  @FunctionalInterface
  interface Change {
    void after(int look) throws IOException;
  }

  private final Connection real;
  private final Change change;
  private int looks;

  /** A connection in the place of another one. */
  LateRegions(Connection real, Change change) {
    this.real = real;
    this.change = change;
  }

  Connection connection() {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          Object result = call(real, method, arguments);
          return result instanceof RegionLocator locator ? late(locator) : result;
        });
  }

  /** How often a client has asked for the regions. */
  int looks() {
    return looks;
  }

  private RegionLocator late(RegionLocator locator) {
    return proxy(
        RegionLocator.class,
        (proxy, method, arguments) -> {
          Object result = call(locator, method, arguments);
          if (method.getName().equals("getStartKeys")) {
            looks++;
            change.after(looks);
          }
          return result;
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    Object made =
        Proxy.newProxyInstance(
            Thread.currentThread().getContextClassLoader(), new Class<?>[] {type}, handler);
    return type.cast(made);
  }

  private static Object call(Object on, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
