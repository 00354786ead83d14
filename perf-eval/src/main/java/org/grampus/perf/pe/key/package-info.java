/** Which rows a test uses, in which order, and their keys. */
package org.grampus.perf.pe.key;
