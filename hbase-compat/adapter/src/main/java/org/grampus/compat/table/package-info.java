/** Descriptors of tables and families as what the engine opens a region with. */
package org.grampus.compat.table;
