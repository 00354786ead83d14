/**
 * Orders of the master and their reports: opens, closes, procedures of regions, and the requests
 * for splits. What a region is lies below, in {@code region}; how the master is reached, in {@code
 * cluster}.
 */
package org.grampus.server.assignment;
