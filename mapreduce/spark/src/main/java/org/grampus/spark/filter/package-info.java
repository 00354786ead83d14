/**
 * What of Spark's conditions a scan can decide: ranges of row keys, and HBase's filters. Pure. Only
 * what is exact is taken; the rest stays Spark's.
 */
package org.grampus.spark.filter;
