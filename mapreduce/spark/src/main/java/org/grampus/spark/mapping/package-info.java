/**
 * Columns of a table as fields of rows: names and types as docs/downloads.md has them, and the
 * bytes of values. Knows neither servers nor files, and needs no native library.
 */
package org.grampus.spark.mapping;
