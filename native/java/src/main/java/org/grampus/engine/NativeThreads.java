package org.grampus.engine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lowers the scheduling priority of single threads (Linux only; elsewhere these methods do nothing
 * and return false or 0). A thread cannot get its priority back. At niceness 10 a thread gets about
 * a tenth of a core that an ordinary thread also wants; its scheduler slice becomes 20 ms. Any
 * thread.
 */
public final class NativeThreads {
  private static final int CALLING_THREAD = 0;
  private static final Path TASKS = Path.of("/proc/self/task");

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

  /**
   * Makes all threads of the process give way whose name begins so, and those that they will start.
   *
   * @param prefix beginning of the name that the system has for a thread; Linux keeps 15 bytes of a
   *     name, so a longer prefix finds none
   * @param niceness from the one that the threads have to 19, the lowest priority
   * @return how many threads have this niceness now; 0 where the system has none for threads, or
   *     does not permit the change
   * @throws IOException when the list of threads cannot be read
   */
  public static int giveWay(String prefix, int niceness) throws IOException {
    if (!Files.isDirectory(TASKS)) {
      return 0;
    }
    NativeLibraryLoader.load();
    int threads = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        if (name(task).startsWith(prefix)
            && setNiceness0(Integer.parseInt(task.getFileName().toString()), niceness)) {
          threads++;
        }
      }
    }
    return threads;
  }

  private static String name(Path task) {
    try {
      return Files.readString(task.resolve("comm"));
    } catch (IOException e) {
      return ""; // it has ended meanwhile
    }
  }

  private static native boolean setNiceness0(int thread, int niceness);
}
