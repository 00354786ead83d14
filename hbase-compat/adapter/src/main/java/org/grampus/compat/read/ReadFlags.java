package org.grampus.compat.read;

import io.netty.buffer.ByteBuf;

/** Flags of a read spec (docs/jni.md). */
public final class ReadFlags {
  /** Finish or say WOULD_BLOCK. */
  public static final int NON_BLOCKING = 1;

  static final int RAW = 2;
  static final int READ_UNCOMMITTED = 4;
  static final int CACHE_BLOCKS = 8;
  static final int EXISTENCE_ONLY = 16;
  static final int REVERSED = 32;
  static final int INCLUDE_START = 64;
  static final int INCLUDE_STOP = 128;
  static final int GET = 256;
  static final int LOAD_ON_DEMAND = 512;
  static final int NO_READ_AHEAD = 1024;

  /** Cells come with their tags. */
  static final int WITH_TAGS = 2048;

  private ReadFlags() {}

  /**
   * Lets the cells of a spec, which is written from the start of its buffer, come with their tags.
   */
  public static void addTags(ByteBuf spec) {
    ReadSpecWriter.addFlags(spec, WITH_TAGS);
  }

  /**
   * Makes a read, whose spec is written from the start of its buffer, finish or say WOULD_BLOCK.
   */
  public static void addNonBlocking(ByteBuf spec) {
    ReadSpecWriter.addFlags(spec, NON_BLOCKING);
  }

  /**
   * Lets a read, whose spec is written from the start of its buffer, load all families of each row
   * at once, whether or not its filter needs them.
   */
  public static void loadAtOnce(ByteBuf spec) {
    ReadSpecWriter.removeFlags(spec, LOAD_ON_DEMAND);
  }
}
