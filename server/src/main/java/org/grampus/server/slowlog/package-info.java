/**
 * Calls that took long or had large replies: lines in the log and, where it is switched on, a
 * buffer that administrators ask for.
 */
package org.grampus.server.slowlog;
