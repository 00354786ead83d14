package org.grampus.server.info;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers of one of HBase's beans over JMX, which keeps them for the metrics system's period: a
 * look at a histogram itself would begin it anew and take its numbers from the sinks.
 */
final class Bean {
  private static final Logger LOG = LoggerFactory.getLogger(Bean.class);

  private final Map<String, Object> values = new HashMap<>();

  private Bean() {}

  /**
   * The attributes of a bean; none while HBase restarts the metrics system.
   *
   * @param sub what follows {@code name=RegionServer,sub=}
   */
  static Bean read(String sub, String... names) {
    Bean bean = new Bean();
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name = new ObjectName("Hadoop:service=HBase,name=RegionServer,sub=" + sub);
      for (Attribute attribute : server.getAttributes(name, names).asList()) {
        if (attribute != null) { // Hadoop's beans answer so for what they have not
          bean.values.put(attribute.getName(), attribute.getValue());
        }
      }
    } catch (InstanceNotFoundException e) {
      LOG.debug("bean {} is away for the moment", sub, e);
    } catch (JMException e) {
      LOG.warn("bean {} cannot be read", sub, e);
    }
    return bean;
  }

  /** A number as text; a dash where there is none. */
  Html.Figure get(String name) {
    Object value = values.get(name);
    return new Html.Figure(value == null ? "–" : value.toString());
  }
}
