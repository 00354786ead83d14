/**
 * The kill loop: writers that remember what was acknowledged, a server that is killed under them,
 * and a comparison of both. Each key has one writer, so that what may be there is always known.
 */
package org.grampus.compat.suite.kill;
