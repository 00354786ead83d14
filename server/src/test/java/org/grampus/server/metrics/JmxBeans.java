package org.grampus.server.metrics;

import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.NotificationListener;
import javax.management.ObjectName;

/** What JMX says of the beans of this process. */
final class JmxBeans {
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  private JmxBeans() {}

  /** The names of a bean's attributes. */
  static Set<String> attributes(ObjectName bean) throws JMException {
    return Stream.of(BEANS.getMBeanInfo(bean).getAttributes())
        .map(MBeanAttributeInfo::getName)
        .collect(Collectors.toSet());
  }

  /** The beans that some work takes away, if only for a moment. */
  static Set<ObjectName> takenAwayBy(Runnable work) throws JMException {
    Set<ObjectName> away = new HashSet<>();
    NotificationListener listener = (event, to) -> note((MBeanServerNotification) event, away);
    BEANS.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener, null, null);
    try {
      work.run();
    } finally {
      BEANS.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener);
    }
    return away;
  }

  private static void note(MBeanServerNotification event, Set<ObjectName> away) {
    if (event.getType().equals(MBeanServerNotification.UNREGISTRATION_NOTIFICATION)) {
      away.add(event.getMBeanName());
    }
  }
}
