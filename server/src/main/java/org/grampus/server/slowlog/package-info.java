/**
 * Calls that took long or had large replies: lines in the log and, where they are switched on, a
 * buffer that administrators ask for, and HBase's table of such calls.
 */
package org.grampus.server.slowlog;
