/** Snapshots of an enabled table beside writers, flushes and compactions, each of them judged. */
package org.grampus.compat.suite.snapshot;
