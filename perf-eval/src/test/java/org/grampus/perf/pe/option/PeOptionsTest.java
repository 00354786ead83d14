package org.grampus.perf.pe.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class PeOptionsTest {
  private static PeOptions parse(String line) {
    return PeOptions.parse(List.of(line.split(" ")));
  }

  @Test
  void optionsOfHBaseAreUnderstood() {
    PeOptions options =
        parse(
            "--nomapred --rows=10 --cycles=2 --sampleRate=0.5 --table=T --compress=GZ"
                + " --blockEncoding=FAST_DIFF --writeToWAL=false --presplit=4 --inmemory=true"
                + " --autoFlush=true --connCount=2 --latencyThreshold=7 --latency --multiGet=3"
                + " --multiPut=5 --usetags=true --numoftags=2 --replicas=3 --filterAll"
                + " --splitPolicy=a.B --randomSleep=4 --measureAfter=6 --bloomFilter=ROWCOL"
                + " --blockSize=4096 --valueSize=50 --valueRandom --period=9 --addColumns=false"
                + " --inmemoryCompaction=BASIC --columns=8 --families=2 --caching=100"
                + " --asyncPrefetch --cacheBlocks=false --scanReadType=pread --bufferSize=1000"
                + " --traceRate=1 --flushCommits=true randomRead 3");

    assertEquals(Command.RANDOM_READ, options.command());
    assertEquals(3, options.clientCount());
    assertTrue(options.clients().threads());
    assertEquals(10, options.rows().rows());
    assertFalse(options.writes().writeToWal());
    assertEquals(Scan.ReadType.PREAD, options.reads().readType());
    assertFalse(options.reads().addColumns());
    assertFalse(options.reads().cacheBlocks());
    assertEquals(2, options.values().tags());
    assertEquals(1000, options.writes().bufferBytes());
  }

  @Test
  void defaultsAreThoseOfHBase() {
    PeOptions options = parse("sequentialWrite 1");

    assertFalse(options.clients().threads());
    assertEquals(1000, options.values().size());
    assertEquals("TestTable", options.table().name());
    assertTrue(options.writes().writeToWal());
    assertFalse(options.writes().autoFlush());
    assertTrue(options.reads().addColumns());
    assertTrue(options.reads().cacheBlocks());
    assertEquals(0, options.values().tags());
    assertNull(options.reads().caching());
    assertEquals(1_048_576, RowPlan.of(options).total());
  }

  @Test
  void theLastOfARepeatedOptionCounts() {
    assertEquals(20, parse("--rows=10 --rows=20 scan 1").rows().rows());
  }

  @Test
  void propertiesMayStandBehindOptions() {
    assertEquals(Map.of("a.b", "c"), parse("--rows=10 -Da.b=c --nomapred scan 1").properties());
  }

  @Test
  void namesThatAreNoTestAreClasses() {
    assertEquals(Command.CUSTOM, parse("a.B 1").command());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--rows=x scan 1",
        "--unknown=1 scan 1",
        "scan",
        "scan x",
        "--rows=1 --rows scan 1",
        "--scanReadType=sometimes scan 1"
      })
  void whatCannotBeUnderstoodIsRefused(String line) {
    assertThrows(CommandLine.ParameterException.class, () -> parse(line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scan 0",
        "--rows=0 scan 1",
        "--rows=9223372036854775807 scan 2",
        "--rows=5000000000000000000 --cycles=2 scan 1",
        "--rows=10 --startRow=9223372036854775800 sequentialRead 1",
        "--size=0 scan 1",
        "--size=1 --valueSize=0 scan 1",
        "--size=1 --valueSize=1000000 scan 5000",
        "--startRow=-1 scan 1",
        "--cycles=0 scan 1",
        "--sampleRate=0 randomRead 1",
        "--sampleRate=1.5 randomRead 1",
        "--rate=Infinity randomRead 1",
        "--rate=NaN randomRead 1",
        "--rate=0 randomRead 1",
        "--rate=-5 randomRead 1",
        "--multiPut=5 sequentialWrite 1",
        "--oneCon=true --connCount=2 scan 1",
        "--valueRandom --valueZipf sequentialWrite 1",
        "--valueZipf --valueSize=1 sequentialWrite 1",
        "--valueSize=-1 sequentialWrite 1",
        "--families=0 scan 1",
        "--columns=0 scan 1",
        "--caching=0 scan 1",
        "--recreate scan 1",
        "--recreate randomDelete 1",
        "--allowMissing sequentialWrite 1",
        "--direct --nomapred scan 1",
        "--mappersPerServer=2 randomRead 1",
        "--mappersPerServer=2 --startRow=5 scan 1",
        "--direct --startRow=5 scan 1",
        "--rows=9 metaWrite 2",
        "--presplit=5 --rows=4 sequentialWrite 1",
        "--presplit=-1 sequentialWrite 1",
        "--table=a/b scan 1",
        "--warmup=-1 randomRead 1"
      })
  void whatCannotBeIsRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> parse(line));
  }

  @Test
  void moreClientsThanUsualAreAWarning() {
    List<String> warnings = parse("--rows=1 sequentialWrite 501").warnings();

    assertEquals(1, warnings.size());
    assertTrue(warnings.get(0).startsWith("501 clients"), warnings::toString);
  }
}
