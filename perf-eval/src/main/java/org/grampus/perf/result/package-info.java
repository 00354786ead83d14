/**
 * What a measurement found, as JSON for programs and as a table for readers. docs/design/0035 has
 * the schema.
 */
package org.grampus.perf.result;
