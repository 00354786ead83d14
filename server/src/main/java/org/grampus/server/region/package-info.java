/**
 * The regions of this server: which are online, opening or moved away, what a request needs to know
 * about each, and their files. The registry is the only way from a request to an engine region.
 */
package org.grampus.server.region;
