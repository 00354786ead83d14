package org.grampus.spark;

import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;

/** Hadoop's configuration of the Spark session. */
final class SessionConfiguration {
  private SessionConfiguration() {}

  /** That of the active session, with what {@code spark.hadoop.*} says; else the usual one. */
  static Configuration get() {
    return SparkSession.active().sparkContext().hadoopConfiguration();
  }
}
