/**
 * Jobs on a small Hadoop against a server beside it, and what is known of their results. Each check
 * is a class; {@link org.grampus.perf.jobs.JobBench} is what they share.
 */
package org.grampus.perf.jobs;
