/**
 * The info port: HBase's HTTP server with its servlets, and the status page of a region server.
 * Pages show the latest snapshot of the metrics and ask the engine nothing.
 */
package org.grampus.server.info;
