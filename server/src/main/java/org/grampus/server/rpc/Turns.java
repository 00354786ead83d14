package org.grampus.server.rpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A queue in which addresses take turns, and the connections of an address among themselves; the
 * tasks of one connection keep their order. So what one client queues makes another wait for one
 * task of it at a time. Not thread-safe.
 */
final class Turns<T> {
  private final Map<Object, Address<T>> addresses = new HashMap<>();
  private final ArrayDeque<Address<T>> order = new ArrayDeque<>();
  private int size;

  /** What waits of one address. */
  private static final class Address<T> {
    private final Object key;
    private final Map<Object, Line<T>> lines = new HashMap<>();
    private final ArrayDeque<Line<T>> order = new ArrayDeque<>();
    private int size;

    Address(Object key) {
      this.key = key;
    }
  }

  /** What waits of one connection. */
  private static final class Line<T> {
    private final Object key;
    private final ArrayDeque<T> tasks = new ArrayDeque<>();

    Line(Object key) {
      this.key = key;
    }
  }

  /** Queues a task behind those of its connection. */
  void add(Object addressKey, Object connectionKey, T task) {
    Address<T> address = addresses.computeIfAbsent(addressKey, Address::new);
    Line<T> line = address.lines.computeIfAbsent(connectionKey, Line::new);
    if (line.tasks.isEmpty()) {
      address.order.add(line);
    }
    if (address.size == 0) {
      order.add(address);
    }
    line.tasks.add(task);
    address.size++;
    size++;
  }

  /** Takes the task whose turn it is; null when there is none. */
  T poll() {
    Address<T> address = order.poll();
    if (address == null) {
      return null;
    }
    Line<T> line = address.order.remove();
    T task = line.tasks.remove();
    if (line.tasks.isEmpty()) {
      address.lines.remove(line.key);
    } else {
      address.order.add(line);
    }
    address.size--;
    size--;
    if (address.size == 0) {
      addresses.remove(address.key);
    } else {
      order.add(address);
    }
    return task;
  }

  /** Tasks that wait. */
  int size() {
    return size;
  }

  /** Whether a task of this address waits. */
  boolean has(Object addressKey) {
    return addresses.containsKey(addressKey);
  }

  /** Takes all tasks. */
  List<T> drain() {
    List<T> tasks = new ArrayList<>(size);
    for (T task = poll(); task != null; task = poll()) {
      tasks.add(task);
    }
    return tasks;
  }
}
