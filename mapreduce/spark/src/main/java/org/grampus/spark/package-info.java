/**
 * Spark's format {@code grampus}: tables and snapshots as data frames (docs/spark.md). Uses Java
 * interfaces of Spark alone, so that one jar serves Scala 2.12 and 2.13.
 */
package org.grampus.spark;
