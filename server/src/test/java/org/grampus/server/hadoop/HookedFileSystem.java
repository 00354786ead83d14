package org.grampus.server.hadoop;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/**
 * HDFS whose calls of the name node a test takes part in. Those of the client that {@link
 * #getClient} returns, which fan-out streams use; the file system's own are not seen.
 */
public final class HookedFileSystem extends DistributedFileSystem {
  private static volatile Hook hook = Call::proceed;

  private DFSClient client;

  /** A call of the name node. */
  record Call(ClientProtocol nameNode, Method method, Object[] arguments) {
    String name() {
      return method.getName();
    }

    Object proceed() throws Throwable {
      try {
        return method.invoke(nameNode, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  /** What happens instead of a call. */
  interface Hook {
    Object on(Call call) throws Throwable;
  }

  /** Clients of a configuration are hooked. */
  static Configuration hooked(Configuration conf) {
    Configuration hooked = new Configuration(conf);
    hooked.setClass("fs.hdfs.impl", HookedFileSystem.class, DistributedFileSystem.class);
    return hooked;
  }

  /** From now on. */
  static void set(Hook next) {
    hook = next;
  }

  static void clear() {
    hook = Call::proceed;
  }

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, conf);
    ClientProtocol nameNode = super.getClient().getNamenode();
    InvocationHandler handler =
        (proxy, method, arguments) ->
            method.getDeclaringClass() == Closeable.class
                ? null // the file system's own client closes the connection
                : hook.on(new Call(nameNode, method, arguments));
    client =
        new DFSClient(
            /* nameNodeUri= */ null, // beside a name node
            (ClientProtocol)
                Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {ClientProtocol.class, Closeable.class},
                    handler),
            conf,
            statistics);
  }

  @Override
  public DFSClient getClient() {
    return client == null ? super.getClient() : client;
  }

  @Override
  public void close() throws IOException {
    client.close();
    super.close();
  }
}
