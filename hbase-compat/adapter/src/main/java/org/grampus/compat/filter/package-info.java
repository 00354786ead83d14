/**
 * HBase's filters and comparators as the engine's filter tree. A class that the engine does not
 * have is refused with its name, for a filter that is left out would return wrong rows.
 */
package org.grampus.compat.filter;
