package org.grampus.engine;

import java.io.IOException;

/** A failure of {@link EngineFiles} of which the engine knows what it means. */
public final class FileException extends IOException {
  private static final long serialVersionUID = 1;

  private final Kind kind;

  /** A failure of a kind, in the words of what caused it. */
  public FileException(Kind kind, Throwable cause) {
    super(cause.toString(), cause);
    this.kind = kind;
  }

  /** A failure of a kind. */
  public FileException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** Which kind of failure it is. */
  public Kind kind() {
    return kind;
  }

  /** The code of the kind; the engine asks for it. */
  int code() {
    return kind.code();
  }

  /** What the engine tells apart. */
  public enum Kind {
    /** Nothing is there, or the directory that something should come into is not. */
    NOT_FOUND(1),
    /** Something is there already. */
    ALREADY_EXISTS(2),
    /** The disks are full, or the quota is used up. */
    NO_SPACE(3),
    /** A directory that was to be deleted has entries. */
    NOT_EMPTY(4),
    /** A file stands where a directory should. */
    NOT_A_DIRECTORY(5),
    /** What is to be read is no file. */
    NOT_A_FILE(6),
    /** The file is no longer this writer's: its lease was recovered, or the file was deleted. */
    FENCED(7),
    /** The user may not do this. */
    NOT_ALLOWED(8),
    /**
     * The file system takes no changes at the moment: it is in safe mode, or in no active state.
     */
    UNAVAILABLE(9);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** The code that crosses the boundary. */
    int code() {
      return code;
    }
  }
}
