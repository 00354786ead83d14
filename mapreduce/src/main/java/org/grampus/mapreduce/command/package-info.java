/** What the commands share: how a job is run and shown, and what is said when it fails. */
package org.grampus.mapreduce.command;
