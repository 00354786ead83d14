package org.grampus.engine;

/**
 * What background work has to say.
 *
 * @param topic the last part of a logger's name
 * @param text one line
 */
public record EngineEvent(Level level, String topic, String text) {
  /** How much it matters. */
  public enum Level {
    /** As it should be. */
    INFO,
    /** An operator should look. */
    WARN,
    /** Something failed. */
    ERROR
  }
}
