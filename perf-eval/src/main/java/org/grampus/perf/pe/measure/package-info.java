/** What a client does in which time. The only place of the tool that looks at a clock or waits. */
package org.grampus.perf.pe.measure;
