/**
 * The control plane of standalone mode: HBase's own master and ZooKeeper inside our process, with
 * its assignment of regions changed where it would leave a region offline ({@link
 * org.grampus.server.master.StandaloneAssignments}).
 */
package org.grampus.server.master;
