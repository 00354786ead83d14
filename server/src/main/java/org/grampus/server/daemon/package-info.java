/**
 * The process: commands, settings, the order of start and stop. Owns every long-lived thing and
 * closes each exactly once.
 */
package org.grampus.server.daemon;
