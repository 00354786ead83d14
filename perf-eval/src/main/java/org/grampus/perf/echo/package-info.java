/** A server that answers and does nothing else, and its client: the floor of what a call costs. */
package org.grampus.perf.echo;
