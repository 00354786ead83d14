package org.grampus.engine;

/**
 * An error from the engine, or a panic caught at the boundary. Unchecked: the adapters turn it into
 * HBase's exception in one place.
 */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorKind kind;

  /** Called from the bridge with the kind's code, and by tests. */
  public EngineException(int kindCode, String message) {
    this(ErrorKind.ofCode(kindCode), message);
  }

  /** An error of a kind with its sentence. */
  public EngineException(ErrorKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** What the caller can do. */
  public ErrorKind kind() {
    return kind;
  }
}
