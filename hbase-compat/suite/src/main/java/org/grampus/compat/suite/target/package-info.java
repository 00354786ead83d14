/** Servers under test, each a process of its own on loopback with a directory of its own. */
package org.grampus.compat.suite.target;
