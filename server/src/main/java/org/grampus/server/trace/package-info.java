/** Spans of calls, for OpenTelemetry. */
package org.grampus.server.trace;
