package org.grampus.perf.pe.option;

/**
 * A setting of a run that counts.
 *
 * @param name of the option
 * @param value that counts
 * @param source where it comes from
 */
public record Setting(String name, Object value, String source) {
  @Override
  public String toString() {
    return name + "=" + value + " (" + source + ")";
  }
}
