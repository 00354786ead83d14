/** Hadoop's configurations on their way to executors. */
package org.grampus.spark.conf;
