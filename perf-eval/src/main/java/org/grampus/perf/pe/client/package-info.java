/** A client: it runs one test over its rows, and says what came of it. */
package org.grampus.perf.pe.client;
