/**
 * Sockets: the server and its bootstrap, what happens before the first call on a connection, frames
 * in and replies out. All of it runs on event loops and never blocks, but for the clock of {@link
 * org.grampus.server.netty.PeerChecks}.
 */
package org.grampus.server.netty;
