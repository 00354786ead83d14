package org.grampus.engine;

/**
 * Compiles the regular expressions that the engine does not evaluate itself. The engine calls it,
 * and what it returns, on the thread that is inside {@link NativeRegion} or {@link NativeScanner},
 * while it holds locks of that call: an implementation neither waits nor calls the engine.
 */
public interface PatternCompiler {
  /** {@code java.util.regex} over the decoded value. */
  int JAVA = 0;

  /** Joni over the bytes of the value. */
  int JONI = 1;

  /**
   * Compiles a pattern; one that cannot be compiled is returned with its {@link
   * CompiledPattern#failure}.
   *
   * @param pattern the expression in UTF-8
   * @param flags those of {@code java.util.regex.Pattern}
   * @param charset canonical name of the charset of values, in ASCII
   * @param engine {@link #JAVA} or {@link #JONI}
   */
  CompiledPattern compile(byte[] pattern, int flags, byte[] charset, int engine);
}
