package org.grampus.perf.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.grampus.perf.ToolException;

/**
 * What goes wrong in a comparison that goes on all the same, since hours of measuring lie before it
 * or behind it. For one thread.
 */
public final class Failures {
  private final List<String> sentences = new ArrayList<>();
  private final Consumer<String> notes;

  /** Something that may fail. */
  @FunctionalInterface
  public interface Step {
    /** Does it. */
    void run() throws ToolException, IOException, InterruptedException;
  }

  /**
   * None yet.
   *
   * @param notes is told of each at once
   */
  public Failures(Consumer<String> notes) {
    this.notes = notes;
  }

  /** Adds one. */
  public void add(String sentence) {
    sentences.add(sentence);
    notes.accept("failed: " + sentence);
  }

  /** Runs a step, and keeps what it says when it fails. */
  public void keep(Step step) throws IOException, InterruptedException {
    try {
      step.run();
    } catch (ToolException e) {
      add(e.getMessage());
    }
  }

  /** All so far. */
  public List<String> sentences() {
    return List.copyOf(sentences);
  }

  /**
   * Ends a comparison.
   *
   * @throws ToolException with all that were kept, if any
   */
  public void require() throws ToolException {
    if (!sentences.isEmpty()) {
      throw new ToolException(String.join("\n", sentences));
    }
  }
}
