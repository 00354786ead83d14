/**
 * The tool that measures, docs/design/0035: its packages below, and here the programs that it runs
 * as clients in processes of their own, with what they write for it.
 */
package org.grampus.perf;
