/** The same scans on Grampus and on a stock HBase, compared reply by reply. */
package org.grampus.compat.suite.scan;
