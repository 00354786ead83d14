/** Numbers that look like chance and are the same for the same seed. */
package org.grampus.perf.pe.chance;
