package org.grampus.server.hadoop;

import org.apache.hadoop.conf.Configuration;

/** A time that a configuration has in milliseconds, and that 0 does not switch off. */
final class PositiveMillis {
  private PositiveMillis() {}

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException when it is not above 0
   */
  static long of(Configuration conf, String key, long defaultValue) {
    long millis = conf.getLong(key, defaultValue);
    if (millis <= 0) {
      throw new IllegalArgumentException(key + " must be positive, not " + millis);
    }
    return millis;
  }
}
