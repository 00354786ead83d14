package org.grampus.server.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.grampus.engine.AppendStream;
import org.grampus.engine.EngineFiles;
import org.grampus.engine.OpenFile;

/**
 * The file system of a server that is killed at one of its changes to it: before it, or when it is
 * done and not yet reported. From then on nothing that the server does reaches the file system. Any
 * thread.
 */
final class MortalFiles {
  private static final Set<String> CHANGES =
      Set.of(
          "create",
          "createLog",
          "write",
          "flush",
          "sync",
          "close",
          "rename",
          "delete",
          "makeDirectories",
          "recoverLease");

  private final boolean after;
  private int left;
  private boolean dead;

  /**
   * A server that lives.
   *
   * @param changes how many it makes, the last of which kills it
   * @param after whether that last one is made
   */
  MortalFiles(int changes, boolean after) {
    left = changes;
    this.after = after;
  }

  /** The same files for this server. */
  EngineFiles of(EngineFiles files) {
    return mortal(EngineFiles.class, files);
  }

  /** Kills it now. */
  synchronized void kill() {
    dead = true;
  }

  synchronized boolean isDead() {
    return dead;
  }

  private <T> T mortal(Class<T> type, T object) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(object, method, arguments)));
  }

  private Object call(Object object, Method method, Object[] arguments) throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return method.invoke(object, arguments);
    }
    if (method.getName().equals("abandon") && isDead()) {
      return null;
    }
    boolean isReader = object instanceof OpenFile; // to close it is no change
    boolean last = !isReader && CHANGES.contains(method.getName()) && isLast();
    if (isDead() && !(last && after)) {
      throw failure(method);
    }
    Object result = invoke(object, method, arguments);
    if (last) {
      throw new IOException("the server is dead, behind its last change");
    }
    if (result instanceof AppendStream stream) {
      return mortal(AppendStream.class, stream);
    }
    return result instanceof OpenFile file ? mortal(OpenFile.class, file) : result;
  }

  /** That a directory is gone ends a log at once; for anything else it waits for half a minute. */
  private static IOException failure(Method method) {
    return method.getName().startsWith("create")
        ? new FileNotFoundException("the server is dead")
        : new IOException("the server is dead");
  }

  /** Counts a change; whether the server dies by it. */
  private synchronized boolean isLast() {
    if (dead) {
      return false;
    }
    left--;
    dead = left == 0;
    return dead;
  }

  private static Object invoke(Object object, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(object, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
