package org.grampus.engine;

/**
 * Lowers the scheduling priority of single threads (Linux only; elsewhere these methods do nothing
 * and return false or 0). A thread cannot get its priority back. At niceness 10 a thread gets about
 * a tenth of a core that an ordinary thread also wants; its scheduler slice becomes 20 ms. Any
 * thread.
 */
public final class NativeThreads {
  private static final int CALLING_THREAD = 0;

  private NativeThreads() {}

  /**
   * Makes the calling thread give way to others, for good.
   *
   * @param niceness from the one that the thread has to 19, the lowest priority
   * @return whether the thread has this niceness now; false where the system has none for threads,
   *     or does not permit the change
   */
  public static boolean giveWay(int niceness) {
    NativeLibraryLoader.load();
    return setNiceness0(CALLING_THREAD, niceness);
  }

  private static native boolean setNiceness0(int thread, int niceness);
}
