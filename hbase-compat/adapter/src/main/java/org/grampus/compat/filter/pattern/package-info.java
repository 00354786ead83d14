/**
 * RegexStringComparator's two engines, for the patterns that the storage engine cannot judge:
 * HBase's answers, with an end to every search.
 */
package org.grampus.compat.filter.pattern;
