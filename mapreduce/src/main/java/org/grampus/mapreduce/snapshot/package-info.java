/**
 * Snapshots read from their files, without a server: the manifest, the regions that it lists, their
 * rows, and snapshots that a job takes for itself. Nothing here knows of splits.
 */
package org.grampus.mapreduce.snapshot;
