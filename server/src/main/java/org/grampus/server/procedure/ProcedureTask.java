package org.grampus.server.procedure;

import java.io.IOException;

/**
 * What this server does in one procedure. {@code prepare} is over on every server before {@code
 * commit} begins on any. Called once each, by one thread.
 */
interface ProcedureTask {
  /** The part before all servers have met. */
  default void prepare() throws IOException, InterruptedException {}

  /** The part after all servers have met. */
  default void commit() throws IOException, InterruptedException {}
}
