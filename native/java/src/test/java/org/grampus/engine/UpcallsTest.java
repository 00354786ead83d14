package org.grampus.engine;

import static org.grampus.engine.TestTable.buffer;
import static org.grampus.engine.TestTable.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What the compiler of patterns answers, throws or breaks, inside a get and inside a scan. */
class UpcallsTest {
  private static final byte[] FILTER = TestTable.patternFilter();
  private static final int ROWS = 300;

  @TempDir private Path root;
  private TestTable table;
  private NativeRegion region;
  private volatile PatternCompiler compiler = UpcallsTest::compile;

  @BeforeEach
  void open() {
    table =
        new TestTable(
            root,
            (pattern, flags, charset, engine) -> compiler.compile(pattern, flags, charset, engine));
    region = table.open("region");
    TestTable.put(region, "row", bytes("xaax"));
  }

  @AfterEach
  void close() {
    region.close(true);
    table.close();
  }

  private record Answer(int found, String failure) implements CompiledPattern {
    @Override
    public int find(byte[] value) {
      return found;
    }
  }

  private static CompiledPattern compile(byte[] pattern, int flags, byte[] charset, int engine) {
    Pattern compiled =
        Pattern.compile(new String(pattern, java.nio.charset.StandardCharsets.UTF_8));
    return new CompiledPattern() {
      @Override
      public int find(byte[] value) {
        String text = new String(value, java.nio.charset.StandardCharsets.UTF_8);
        return compiled.matcher(text).find() ? FOUND : ABSENT;
      }

      @Override
      public String failure() {
        return null;
      }
    };
  }

  private int count(byte[] filter) {
    ByteBuffer out = buffer(1024);
    long result = region.get(TestTable.get("row", filter), out);
    assertEquals(CallStatus.DONE, CallStatus.status(result));
    return out.getInt(GetReply.CELL_COUNT);
  }

  private int scanned() {
    ScanInfo info = new ScanInfo();
    try (NativeScanner scanner = region.openScanner(TestTable.scan(FILTER))) {
      scanner.next(TestTable.limits(), buffer(1 << 16), info);
      return info.resultCount();
    }
  }

  /** Fails in a get and in a scan, and the same request succeeds afterwards. */
  private void assertFails(ErrorKind kind, String part) {
    for (Executable read : new Executable[] {() -> count(FILTER), this::scanned}) {
      EngineException error = assertThrows(EngineException.class, read);
      assertEquals(kind, error.kind(), error.getMessage());
      assertTrue(error.getMessage().contains(part), error.getMessage());
    }
    compiler = UpcallsTest::compile;
    assertEquals(1, count(FILTER));
    assertEquals(1, scanned());
  }

  @Test
  void javaDecidesOnEachRow() {
    for (int row = 0; row < ROWS; row++) {
      TestTable.put(region, "row" + row, bytes(row % 3 == 0 ? "aa" : "ab"));
    }
    assertEquals(1, count(FILTER));
    assertEquals(1 + ROWS / 3, scanned());
  }

  @Test
  void aCallThatMayNotWaitMakesNone() {
    AtomicInteger compiled = new AtomicInteger();
    compiler =
        (pattern, flags, charset, engine) -> {
          compiled.incrementAndGet();
          return compile(pattern, flags, charset, engine);
        };
    long result = region.get(TestTable.nonBlockingGet("row", FILTER), buffer(1024));
    assertEquals(CallStatus.WOULD_BLOCK, CallStatus.status(result));
    assertEquals(0, compiled.get());
  }

  @Test
  void anExceptionOfTheCompilerIsAnErrorOfTheRead() {
    compiler =
        (pattern, flags, charset, engine) -> {
          throw new IllegalStateException("thrown in compile");
        };
    assertFails(ErrorKind.BUG, "thrown in compile");
  }

  @Test
  void anErrorOfTheJvmInASearchIsAnErrorOfTheRead() {
    compiler =
        (pattern, flags, charset, engine) ->
            new CompiledPattern() {
              @Override
              public int find(byte[] value) {
                throw new StackOverflowError("thrown in find");
              }

              @Override
              public String failure() {
                return null;
              }
            };
    assertFails(ErrorKind.BUG, "thrown in find");
  }

  @Test
  void aSearchWithoutAnswerFailsWithItsReason() {
    compiler =
        (pattern, flags, charset, engine) ->
            new CompiledPattern() {
              private boolean searched;

              @Override
              public int find(byte[] value) {
                searched = true;
                return FAILED;
              }

              @Override
              public String failure() {
                return searched ? "it takes too long" : null;
              }
            };
    assertFails(ErrorKind.BAD_REQUEST, "it takes too long");
  }

  @Test
  void aPatternThatCannotBeUsedIsRefusedWithItsReason() {
    compiler = (pattern, flags, charset, engine) -> new Answer(0, "no such group");
    assertFails(ErrorKind.BAD_REQUEST, "no such group");
  }

  @Test
  void noPatternAtAllIsADefect() {
    compiler = (pattern, flags, charset, engine) -> null;
    assertFails(ErrorKind.BUG, "returned null");
  }
}
