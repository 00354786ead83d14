package org.grampus.mapreduce.command;

import org.apache.hadoop.conf.Configuration;
import org.grampus.mapreduce.settings.IgnoredKeys;
import org.grampus.mapreduce.settings.ReaderKind;

/**
 * Warnings of a command about keys that do nothing. Its log is silent but for errors, so that what
 * the job logs of them is not seen.
 */
public final class KeyWarnings {
  private KeyWarnings() {}

  /** Prints a line on standard error for each key without effect. */
  public static void print(Configuration conf, ReaderKind reader) {
    IgnoredKeys.sentences(conf, reader)
        .forEach(sentence -> System.err.println("grampus: warning: " + sentence));
  }
}
