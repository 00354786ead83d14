package org.grampus.compat.suite;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Hadoop's beans of a server process on this machine, read over JMX. One thread. */
final class JmxBeans implements AutoCloseable {
  private static final String BEANS = "Hadoop:service=HBase,name=";

  private final JMXConnector connector;
  private final MBeanServerConnection connection;

  /** Connects to the process with this id. */
  @SuppressWarnings("BanJNDI") // the address of a process that the test has started
  JmxBeans(long pid) throws IOException {
    try {
      VirtualMachine process = VirtualMachine.attach(String.valueOf(pid));
      try {
        connector =
            JMXConnectorFactory.connect(new JMXServiceURL(process.startLocalManagementAgent()));
      } finally {
        process.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("no JMX in process " + pid, e);
    }
    connection = connector.getMBeanServerConnection();
  }

  /** What follows {@code name=} in the names of all beans that are there now. */
  Set<String> names() throws IOException, JMException {
    Set<String> names = new TreeSet<>();
    for (ObjectName name : connection.queryNames(new ObjectName(BEANS + "*,*"), null)) {
      names.add(name.toString().substring(BEANS.length()));
    }
    return names;
  }

  /**
   * The attributes of a bean, none where there is no bean: HBase takes all beans away for half a
   * second when regions come or go.
   *
   * @param bean what follows {@code name=}
   */
  Map<String, Object> values(String bean) throws IOException, JMException {
    Map<String, Object> values = new HashMap<>();
    try {
      ObjectName name = new ObjectName(BEANS + bean);
      String[] names = types(name).keySet().toArray(new String[0]);
      for (Attribute attribute : connection.getAttributes(name, names).asList()) {
        values.put(attribute.getName(), attribute.getValue());
      }
      return values;
    } catch (InstanceNotFoundException e) {
      return Map.of();
    }
  }

  /** The classes of a bean's attributes by name; none where there is no bean. */
  Map<String, String> types(String bean) throws IOException, JMException {
    try {
      return types(new ObjectName(BEANS + bean));
    } catch (InstanceNotFoundException e) {
      return Map.of();
    }
  }

  private Map<String, String> types(ObjectName name) throws IOException, JMException {
    Map<String, String> types = new TreeMap<>();
    for (MBeanAttributeInfo info : connection.getMBeanInfo(name).getAttributes()) {
      types.put(info.getName(), info.getType().replace("java.lang.", ""));
    }
    return types;
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
