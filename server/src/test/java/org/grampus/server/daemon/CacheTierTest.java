package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheTierTest {
  private static final String ENGINE = "hbase.bucketcache.ioengine";
  private static final String SIZE = "hbase.bucketcache.size";
  private static final String INDEX = "hbase.bucketcache.persistent.path";

  private final Configuration conf = new Configuration(false);

  private Optional<CacheTier> tier(String engine, String size) throws StartupException {
    conf.set(ENGINE, engine);
    conf.set(SIZE, size);
    return CacheTier.from(conf);
  }

  private String refusal(String engine, String size) {
    String message = assertThrows(StartupException.class, () -> tier(engine, size)).getMessage();
    assertFalse(message.contains("\n"), message);
    return message;
  }

  @Test
  void withoutAnEngineThereIsNone() throws StartupException {
    assertEquals(Optional.empty(), CacheTier.from(conf));
    assertEquals(Optional.empty(), tier(" ", "100"));
  }

  @ParameterizedTest
  @CsvSource({"file, false", "files, false", "mmap, true", "pmem, true"})
  void everyEngineTakesSeveralPaths(String engine, boolean reserve) throws StartupException {
    assertEquals(
        Optional.of(new CacheTier(List.of("/a/x", "/b/x"), 8L << 30, reserve, Optional.empty())),
        tier(engine + ":/a/x, /b/x", "8192"));
  }

  @Test
  void theSizeIsInMegabytesAndMayHaveAFraction() throws StartupException {
    assertEquals(1536L << 10, tier("file:/a", " 1.5 ").orElseThrow().bytes());
  }

  @Test
  void theIndexIsKeptWhereThePersistentPathIs() throws StartupException {
    conf.set(INDEX, " /a/index ");
    assertEquals(Optional.of("/a/index"), tier("file:/a/x", "100").orElseThrow().index());
  }

  @ParameterizedTest
  @ValueSource(strings = {"index", "/a/x"})
  void anIndexWithoutAPlaceOfItsOwnIsRefused(String path) {
    conf.set(INDEX, path);
    assertTrue(refusal("file:/a/x", "100").startsWith(INDEX + " is " + path));
  }

  @Test
  void offHeapIsWhatTheCacheIsAlready() throws StartupException {
    assertEquals(Optional.empty(), tier("offheap", "100"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a", "ssd:/a", "file", "file:", "file:a", "files:/a,,/b", "files:/a,"})
  void anEngineOrPathThatIsNoneIsRefusedByName(String engine) {
    String message = refusal(engine, "100");
    assertTrue(message.startsWith(ENGINE) && message.contains("absolute paths"), message);
  }

  @Test
  void aPathThatIsNamedTwiceIsRefused() {
    assertTrue(refusal("files:/a,/b,/a", "100").contains("twice"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "0.4", "1.9", "-5", "much", "NaN", "Infinity"})
  void aSizeThatIsTooSmallOrNoneIsRefusedByName(String size) {
    String message = refusal("files:/a,/b", size);
    assertTrue(message.startsWith(SIZE) && message.contains("megabytes"), message);
  }
}
