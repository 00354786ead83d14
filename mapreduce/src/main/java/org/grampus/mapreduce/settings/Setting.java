package org.grampus.mapreduce.settings;

/** The value of a setting that counts, and where it comes from. */
public record Setting(String value, Origin origin) {
  @Override
  public String toString() {
    return value + " (" + origin + ")";
  }
}
