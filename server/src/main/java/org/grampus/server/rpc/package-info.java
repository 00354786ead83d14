/**
 * Calls: from a decoded frame to a method, over event loops and handler pools, and back as exactly
 * one reply or none. Limits, deadlines and the error form of HBase's RPC live here.
 */
package org.grampus.server.rpc;
