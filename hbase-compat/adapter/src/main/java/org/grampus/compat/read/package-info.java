/** Gets and scans as the engine's read spec. */
package org.grampus.compat.read;
