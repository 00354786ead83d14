/**
 * Records of files: a source for each format, which reads the records of a split, each once
 * whatever the splits (docs/imports.md).
 */
package org.grampus.mapreduce.source;
