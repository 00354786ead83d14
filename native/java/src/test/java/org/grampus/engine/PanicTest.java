package org.grampus.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A panic inside a call, in a JVM of its own whose environment asks for it. */
class PanicTest {
  private static final String POINT = "close.after_flush_before_mark";

  @TempDir private Path root;

  /** Closes a region, which panics, and says what came of it. */
  public static final class Child {
    private Child() {}

    /** Runs below the directory that is given. */
    public static void main(String[] arguments) {
      TestTable table = new TestTable(Path.of(arguments[0]), null);
      NativeRegion region = table.open("region");
      NativeRegion other = table.open("other");
      TestTable.put(region, "row", TestTable.bytes("v"));
      try {
        region.close(false);
        throw new IllegalStateException("no panic");
      } catch (EngineException e) {
        System.out.println(e.kind() + ": " + e.getMessage());
      }
      TestTable.put(other, "row", TestTable.bytes("v"));
      other.close(false);
      table.close();
      System.out.println("the engine goes on");
    }
  }

  @Test
  void aPanicIsAnExceptionOfItsCallAlone() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xcheck:jni");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(Child.class.getName());
    command.add(root.toString());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("GRAMPUS_PANIC_POINT", POINT);
    Process child = builder.start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, child.waitFor(), output);
    assertTrue(output.contains("BUG: the engine panicked: panic point " + POINT), output);
    assertTrue(output.contains("the engine goes on"), output);
    assertTrue(!output.contains("in native method"), output);
  }
}
