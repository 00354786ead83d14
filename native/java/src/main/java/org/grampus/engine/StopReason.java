package org.grampus.engine;

/** Why a call of {@link EngineScanner#next} ended. The codes of docs/jni.md are the ordinals. */
public enum StopReason {
  /** No rows are left. */
  END,
  /** As many results as were wanted. */
  RESULTS,
  /** As many complete rows as were wanted. */
  ROWS,
  /** As many bytes of cells as were wanted. */
  SIZE,
  /** The time was up. */
  TIME,
  /** The output is full. */
  OUTPUT_FULL,
  /** The call ended early: look whether the client is still there, and call again. */
  PAUSED;

  private static final StopReason[] BY_CODE = values();

  static StopReason ofCode(int code) {
    if (code < 0 || code >= BY_CODE.length) {
      throw new EngineException(ErrorKind.BUG, "the engine stopped for reason " + code);
    }
    return BY_CODE[code];
  }
}
