/**
 * The account of the memory that clients' requests take: what is reserved, for which use and for
 * which address, and what has to wait or is refused. See docs/design/0023-one-account-of-memory.md.
 */
package org.grampus.server.memory;
