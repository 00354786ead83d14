/**
 * HBase's RPC services on top of the engine: what each method means, scanners and their leases, and
 * the registry service. A method unpacks its message, calls an adapter and the engine, and replies.
 */
package org.grampus.server.service;
