/** What tests write into cells. */
package org.grampus.perf.pe.value;
