/**
 * The control plane of standalone mode: HBase's own master and ZooKeeper, unmodified, inside our
 * process (design D1).
 */
package org.grampus.server.master;
