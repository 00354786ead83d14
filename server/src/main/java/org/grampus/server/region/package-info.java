/**
 * The regions of this server: which are online, opening or moved away, and what a request needs to
 * know about each. The registry is the only way from a request to an engine region.
 */
package org.grampus.server.region;
