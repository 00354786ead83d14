package org.grampus.server.service;

/** Why a call of next ended. */
enum StopReason {
  END,
  RESULTS,
  ROWS,
  SIZE,
  TIME,
  OUTPUT_FULL,
  /** The call ended early: look whether the client is still there, and call again. */
  PAUSED;

  private static final StopReason[] BY_CODE = values();

  static StopReason of(int code) {
    if (code < 0 || code >= BY_CODE.length) {
      throw new IllegalStateException("the engine stopped for reason " + code);
    }
    return BY_CODE[code];
  }
}
