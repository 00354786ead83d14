package org.grampus.engine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The priority of single threads, which Java has no word for that takes effect. On Linux a thread
 * has a niceness of its own, and may raise it without a privilege, but not lower it again. Any
 * thread.
 */
public final class NativeThreads {
  private static final int CALLING_THREAD = 0;
  private static final Path TASKS = Path.of("/proc/self/task");

  private NativeThreads() {}

  /**
   * Makes the calling thread give way to others, for good.
   *
   * @param niceness 0 to 19; about a tenth of the processor for each ten beside an ordinary thread
   * @return false where that cannot be done
   */
  public static boolean giveWay(int niceness) {
    NativeLibraryLoader.load();
    return setNiceness0(CALLING_THREAD, niceness);
  }

  /**
   * Makes all threads of the process give way whose name for the system begins so, and those that
   * they will start.
   *
   * @return how many there are; 0 where it cannot be done
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
