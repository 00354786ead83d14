/** The files that commands write and read: their formats, and what a complete download has. */
package org.grampus.mapreduce.files;
