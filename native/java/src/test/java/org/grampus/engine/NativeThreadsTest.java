package org.grampus.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NativeThreadsTest {
  private static final int NICENESS = 7;

  /** Place behind the name in /proc/thread-self/stat. */
  private static final int NICENESS_FIELD = 16;

  @Test
  void aThreadGivesWayAndNoOtherDoes() throws Exception {
    int before = niceness();
    assumeTrue(before < NICENESS, "this process gives way already");
    int given = inThread("gives-way", () -> NativeThreads.giveWay(NICENESS) ? niceness() : -1);
    assertEquals(NICENESS, given);
    assertEquals(before, niceness());
  }

  private static int inThread(String name, Callable<Integer> work) throws Exception {
    FutureTask<Integer> task = new FutureTask<>(work);
    Thread thread = new Thread(task, name);
    thread.start();
    return task.get();
  }

  private static int niceness() throws Exception {
    String line = Files.readString(Path.of("/proc/thread-self/stat"));
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    return Integer.parseInt(fields[NICENESS_FIELD]);
  }
}
