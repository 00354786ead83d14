/** The engine's files on a file system of Hadoop's. */
package org.grampus.server.hadoop;
