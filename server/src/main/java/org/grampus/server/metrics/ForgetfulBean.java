package org.grampus.server.metrics;

import org.apache.hadoop.metrics2.MetricsSource;

/**
 * The bean of a source whose attributes can leave: Hadoop's adapter adds attributes that are new,
 * and keeps those that have left until it is made anew. One thread.
 */
final class ForgetfulBean {
  private final String context;
  private final String description;
  private final MetricsSource source;
  private boolean stale = true; // it is registered before its source has anything

  ForgetfulBean(String context, String description, MetricsSource source) {
    this.context = context;
    this.description = description;
    this.source = source;
  }

  /** Takes whether attributes have left. */
  void note(boolean left) {
    stale |= left;
  }

  /** Forgets what has left. One that fails is tried again with the next call. */
  void renew() {
    if (stale) {
      Sources.renew(context, description, source);
      stale = false;
    }
  }
}
