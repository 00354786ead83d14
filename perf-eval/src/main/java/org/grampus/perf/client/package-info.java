/** Programs that use a server in comparisons, and what they found, which they write as JSON. */
package org.grampus.perf.client;
