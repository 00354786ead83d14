/**
 * What the server publishes through Hadoop's metrics2, and so over JMX: HBase's metrics under
 * HBase's names where the meaning is the same, and the engine's own numbers beside them.
 */
package org.grampus.server.metrics;
