/**
 * Judges a server through the stock HBase client, Grampus and Apache HBase alike: the compatibility
 * tests, the kill loop and the digest of a table's cells.
 */
package org.grampus.compat.suite;
