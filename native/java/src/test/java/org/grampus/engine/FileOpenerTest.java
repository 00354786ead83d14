package org.grampus.engine;

import static org.grampus.engine.TestTable.buffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that Java opens: what is asked of them, and what comes of an exception in each upcall. */
class FileOpenerTest {
  private static final String ROOT = "test://cluster:8020/hbase";
  private static final int ROWS = 2000;
  private static final int THREADS = 8;
  private static final int FAILED = -1;

  /** Large enough that no call reads a file at one go. */
  private static final int VALUE_BYTES = 400;

  @TempDir private Path root;
  private TestTable table;
  private NativeRegion served;
  private SnapshotFiles files;
  private final AtomicBoolean closedTwice = new AtomicBoolean();
  private final AtomicInteger open = new AtomicInteger();
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

  /** Runs in front of each upcall, by its name. */
  private volatile Step step = name -> {};

  /** What an upcall does first. */
  private interface Step {
    void run(String name) throws IOException;
  }

  /** A local file. */
  private class Local implements OpenFile {
    private final FileChannel channel;

    Local(Path path) throws IOException {
      channel = FileChannel.open(path, StandardOpenOption.READ);
      open.incrementAndGet();
    }

    @Override
    public long length() throws IOException {
      step.run("length");
      return channel.size();
    }

    @Override
    public void readFully(long position, ByteBuffer into) throws IOException {
      step.run("readFully");
      assertTrue(into.isDirect() && into.position() == 0 && into.hasRemaining());
      fill(position, into);
    }

    final void fill(long position, ByteBuffer into) throws IOException {
      for (long at = position; into.hasRemaining(); ) {
        at += channel.read(into, at);
      }
    }

    @Override
    public void close() throws IOException {
      if (!channel.isOpen()) {
        closedTwice.set(true); // what is thrown here reaches no caller
      }
      channel.close();
      open.decrementAndGet();
      step.run("close");
    }
  }

  @BeforeEach
  void write() {
    table = new TestTable(root, null);
    served = table.open("region");
    for (int row = 0; row < ROWS; row++) {
      TestTable.put(served, "row" + row, TestTable.noise(row, VALUE_BYTES));
      if (row == ROWS / 2) {
        served.flush();
      }
    }
    files = served.snapshotFiles(true);
  }

  @AfterEach
  void noFileIsClosedTwice() {
    assertFalse(closedTwice.get());
  }

  @AfterEach
  void close() {
    served.close(true);
    table.close();
  }

  private Path local(String path) throws IOException {
    asked.add(path);
    assertTrue(path.startsWith(ROOT + "/"), path);
    step.run("open");
    return root.resolve(path.substring(ROOT.length() + 1));
  }

  private OpenFile open(String path) throws IOException {
    try {
      return new Local(local(path));
    } catch (NoSuchFileException e) {
      throw (IOException) new FileNotFoundException(e.getMessage()).initCause(e);
    }
  }

  private NativeFrozenRegion opened(FileOpener opener) {
    return NativeFrozenRegion.open(TestTable.frozen(ROOT, "region", files), opener, null);
  }

  private static int rows(NativeFrozenScan scan) {
    ScanInfo info = new ScanInfo();
    ByteBuffer out = buffer(1 << 16);
    int rows = 0;
    do {
      long result = scan.next(TestTable.limits().count(100, 0), out, info);
      assertEquals(CallStatus.DONE, CallStatus.status(result));
      rows += info.resultCount();
    } while (!info.endOfRegion());
    return rows;
  }

  private int scanned(FileOpener opener) {
    try (NativeFrozenRegion region = opened(opener);
        NativeFrozenScan scan = region.scan(TestTable.scan(), 0)) {
      return rows(scan);
    }
  }

  private void assertFails(FileOpener opener, String... parts) {
    EngineException error = assertThrows(EngineException.class, () -> scanned(opener));
    assertEquals(ErrorKind.IO, error.kind(), error.getMessage());
    for (String part : parts) {
      assertTrue(error.getMessage().contains(part), error.getMessage());
    }
    assertEquals(0, open.get(), "all are closed");
  }

  @Test
  void filesAreOpenedBelowTheRootAsItIsWrittenAndClosedWithTheirLastReader() {
    NativeFrozenRegion region = opened(this::open);
    assertEquals(2, open.get());
    for (SnapshotFiles.File file : files.families().get(0).files()) {
      assertTrue(asked.contains(ROOT + "/data/default/t/region/f/" + file.name()), asked + "");
    }
    assertEquals(1, region.pieces(Long.MAX_VALUE).size());
    NativeFrozenScan scan = region.scan(TestTable.scan(), 0);
    region.close();
    assertEquals(2, open.get(), "the scan reads them");
    assertEquals(ROWS, rows(scan));
    scan.close();
    assertEquals(0, open.get());
  }

  @Test
  void aFileThatIsNotFoundIsLookedForWhereItMayHaveMoved() throws IOException {
    Path archive = root.resolve("archive/data/default/t/region/f");
    Files.createDirectories(archive);
    for (SnapshotFiles.File file : files.families().get(0).files()) {
      Files.move(
          root.resolve("data/default/t/region/f").resolve(file.name()),
          archive.resolve(file.name()));
    }
    assertEquals(ROWS, scanned(this::open));
    assertEquals(6, asked.size(), "three places each: " + asked);
  }

  @Test
  void aFileThatIsNowhereIsAnErrorThatNamesItsPlaces() {
    FileOpener none =
        path -> {
          throw new FileNotFoundException(path);
        };
    assertFails(none, "is missing", ROOT + "/archive/data/default/t/region/f/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "length", "readFully"})
  void whatAnUpcallThrowsIsTheErrorOfTheCall(String name) {
    List<Supplier<Throwable>> all =
        List.of(
            () -> new IOException("the disk is gone"),
            () -> new IllegalStateException("the disk is gone"),
            () -> new StackOverflowError("the disk is gone"));
    for (Supplier<Throwable> thrown : all) {
      step = new Throws(name, 0, thrown);
      assertFails(this::open, thrown.get().getClass().getName() + ": the disk is gone");
      step = ignored -> {};
      assertEquals(ROWS, scanned(this::open));
    }
  }

  /** Throws in the upcall of a name, after a number of them. */
  private static final class Throws implements Step {
    private final String name;
    private final AtomicInteger left;
    private final Supplier<Throwable> thrown;

    Throws(String name, int after, Supplier<Throwable> thrown) {
      this.name = name;
      this.left = new AtomicInteger(after);
      this.thrown = thrown;
    }

    @Override
    public void run(String upcall) {
      if (upcall.equals(name) && left.getAndDecrement() <= 0) {
        Throws.<RuntimeException>sneak(thrown.get());
      }
    }

    @SuppressWarnings("unchecked") // so that a checked exception leaves whatever is declared
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
      throw (T) thrown;
    }
  }

  @Test
  void eachReadMayFailAndTheFilesAreClosed() {
    AtomicInteger reads = new AtomicInteger();
    step =
        name -> {
          if (name.equals("readFully")) {
            reads.incrementAndGet();
          }
        };
    assertEquals(ROWS, scanned(this::open));
    assertTrue(reads.get() > 4, reads + " reads");
    for (int after = 0; after < reads.get(); after++) {
      step = new Throws("readFully", after, () -> new IOException("once"));
      assertFails(this::open, "java.io.IOException: once");
    }
  }

  @Test
  void aScanThatFailedStaysFailedAndAnotherOneReads() {
    try (NativeFrozenRegion region = opened(this::open)) {
      NativeFrozenScan broken = region.scan(TestTable.scan(), 0);
      step = new Throws("readFully", 0, () -> new IOException("for a while"));
      EngineException error = assertThrows(EngineException.class, () -> rows(broken));
      assertEquals(ErrorKind.IO, error.kind(), error.getMessage());
      step = ignored -> {};
      assertThrows(EngineException.class, () -> rows(broken));
      broken.close();
      try (NativeFrozenScan scan = region.scan(TestTable.scan(), 0)) {
        assertEquals(ROWS, rows(scan));
      }
    }
    assertEquals(0, open.get());
  }

  @Test
  void aReadThatReturnsTooEarlyIsAnError() {
    FileOpener early =
        path ->
            new Local(local(path)) {
              @Override
              public void readFully(long position, ByteBuffer into) throws IOException {
                into.limit(into.limit() - 1);
                fill(position, into);
                into.limit(into.capacity());
              }
            };
    assertFails(early, "readFully returned after ");
  }

  /** A limit is the reader's own to move, and says nothing about bytes. */
  @Test
  void aReadThatOnlyMovesTheLimitIsAnError() {
    FileOpener idle =
        path ->
            new Local(local(path)) {
              @Override
              public void readFully(long position, ByteBuffer into) {
                into.limit(0);
              }
            };
    assertFails(idle, "readFully returned after 0 of ");
  }

  @Test
  void aFileThatIsNoneIsAnError() {
    assertFails(path -> null, "the opener of files returned null for " + ROOT);
    FileOpener negative =
        path ->
            new Local(local(path)) {
              @Override
              public long length() {
                return -1;
              }
            };
    assertFails(negative, "a file has -1 bytes");
  }

  /** Also what an exception says of itself may be an exception. */
  @Test
  void anExceptionWithoutWordsIsAnError() {
    IOException silent =
        new IOException("never asked") {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw new IllegalStateException("thrown in getMessage");
          }
        };
    step = new Throws("open", 0, () -> silent);
    assertFails(this::open, "an exception that does not say what it is");
  }

  @Test
  void whatACloseThrowsIsNotLookedAt() {
    step = new Throws("close", 0, () -> new IOException("close"));
    assertEquals(ROWS, scanned(this::open));
    assertEquals(0, open.get());
  }

  /** The files are closed inside the call of the scan, which ends as if nothing had been. */
  @Test
  void aScanThatAFileClosesEndsItsCall() {
    NativeFrozenRegion region = opened(this::open);
    NativeFrozenScan scan = region.scan(TestTable.scan(), 0);
    step =
        name -> {
          region.close();
          scan.close();
          assertEquals(2, open.get(), "the call reads them");
          step = ignored -> {};
        };
    ScanInfo info = new ScanInfo();
    assertEquals(
        CallStatus.DONE, CallStatus.status(scan.next(TestTable.limits(), buffer(1 << 20), info)));
    assertTrue(info.resultCount() > 0);
    assertEquals(0, open.get());
  }

  @Test
  void manyThreadsReadTheFilesOfARegionAndOneOfThemFails() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    FrozenRegionRequest request = TestTable.frozen(ROOT, "region", files);
    FrozenRegionRequest uncached =
        new FrozenRegionRequest(request.region(), request.files(), request.rowBytesMax(), 0);
    try (NativeFrozenRegion region = NativeFrozenRegion.open(uncached, this::open, null)) {
      ThreadLocal<Boolean> fails = ThreadLocal.withInitial(() -> false);
      step =
          name -> {
            if (fails.get() && name.equals("readFully")) {
              throw new IOException("of one thread");
            }
          };
      List<Future<Integer>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        boolean broken = thread == 0;
        all.add(
            threads.submit(
                () -> {
                  fails.set(broken);
                  try (NativeFrozenScan scan = region.scan(TestTable.scan(), 0)) {
                    return rows(scan);
                  } catch (EngineException e) {
                    assertTrue(e.getMessage().contains("of one thread"), e.getMessage());
                    return FAILED;
                  }
                }));
      }
      for (int thread = 0; thread < THREADS; thread++) {
        assertEquals(thread == 0 ? FAILED : ROWS, all.get(thread).get(60, TimeUnit.SECONDS));
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(0, open.get());
  }

  /** The upcall runs inside a call of the scan. */
  @Test
  void aFileThatComesBackToItsScanIsRefused() {
    AtomicInteger refused = new AtomicInteger();
    try (NativeFrozenRegion region = opened(this::open);
        NativeFrozenScan scan = region.scan(TestTable.scan(), 0)) {
      step =
          name -> {
            EngineException error =
                assertThrows(
                    EngineException.class,
                    () -> scan.next(TestTable.limits(), buffer(64), new ScanInfo()));
            assertEquals(ErrorKind.BUG, error.kind(), error.getMessage());
            refused.incrementAndGet();
          };
      assertEquals(ROWS, rows(scan));
      step = name -> {};
    }
    assertTrue(refused.get() > 0);
    assertEquals(0, open.get());
  }
}
