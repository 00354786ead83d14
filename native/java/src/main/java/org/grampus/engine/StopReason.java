package org.grampus.engine;

/** Why a call of {@link EngineScanner#next} ended. The codes are those of docs/jni.md. */
public enum StopReason {
  /** No rows are left. */
  END(0),
  /** As many results as were wanted. */
  RESULTS(1),
  /** As many complete rows as were wanted. */
  ROWS(2),
  /** As many bytes of cells as were wanted. */
  SIZE(3),
  /** The time was up. */
  TIME(4),
  /** The output is full. */
  OUTPUT_FULL(5),
  /** The call ended early: look whether the client is still there, and call again. */
  PAUSED(6);

  private static final StopReason[] BY_CODE = values();

  private final int code;

  StopReason(int code) {
    this.code = code;
  }

  /** The code that crosses the boundary. */
  public int code() {
    return code;
  }

  static StopReason ofCode(int code) {
    if (code < 0 || code >= BY_CODE.length) {
      throw new EngineException(ErrorKind.BUG, "the engine stopped for reason " + code);
    }
    return BY_CODE[code];
  }
}
