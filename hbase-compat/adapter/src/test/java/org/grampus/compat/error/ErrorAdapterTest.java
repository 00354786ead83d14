package org.grampus.compat.error;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorAdapterTest {
  /** What each kind is for a client; a kind that is new needs a line. */
  private static final Map<ErrorKind, Class<? extends IOException>> CLASSES =
      Map.ofEntries(
          entry(ErrorKind.BAD_REQUEST, DoNotRetryIOException.class),
          entry(ErrorKind.NO_SUCH_FAMILY, NoSuchColumnFamilyException.class),
          entry(ErrorKind.WRONG_REGION, WrongRegionException.class),
          entry(ErrorKind.BUSY, RegionTooBusyException.class),
          entry(ErrorKind.NOT_SERVING, NotServingRegionException.class),
          entry(ErrorKind.CORRUPT, IOException.class),
          entry(ErrorKind.POISONED, IOException.class),
          entry(ErrorKind.IO, IOException.class),
          entry(ErrorKind.SANITY, FailedSanityCheckException.class),
          entry(ErrorKind.ROW_TOO_BIG, RowTooBigException.class),
          entry(ErrorKind.LARGE_ANSWERS, MultiActionResultTooLarge.class),
          entry(ErrorKind.TIMEOUT, IOException.class),
          entry(ErrorKind.BUG, IOException.class));

  @ParameterizedTest
  @EnumSource
  void everyKindHasAnExceptionThatClientsCanMake(ErrorKind kind) throws Exception {
    EngineException error = new EngineException(kind, "why");
    IOException adapted = ErrorAdapter.adapt(error);
    assertEquals(CLASSES.get(kind), adapted.getClass());
    assertEquals("why", adapted.getMessage());
    assertEquals(error, adapted.getCause());
    assertNotNull(adapted.getClass().getConstructor(String.class), "clients make it from text");
  }

  @ParameterizedTest
  @EnumSource
  void whatWasNotPossibleStandsBeforeTheReason(ErrorKind kind) {
    EngineException error = new EngineException(kind, "why");
    IOException adapted = ErrorAdapter.adapt("cannot flush r", error);
    assertEquals(CLASSES.get(kind), adapted.getClass());
    assertEquals("cannot flush r: why", adapted.getMessage());
    assertEquals(error, adapted.getCause());
  }

  @Test
  void otherErrorsAreTheServersOwn() {
    IOException known = new RegionTooBusyException("full");
    assertSame(known, ErrorAdapter.adapt(known));
    IllegalStateException defect = new IllegalStateException("defect");
    assertEquals(IOException.class, ErrorAdapter.adapt(defect).getClass());
    assertSame(defect, ErrorAdapter.adapt(defect).getCause());
    assertEquals(
        DoNotRetryIOException.class, ErrorAdapter.adapt(new NoClassDefFoundError("c")).getClass());
  }

  @ParameterizedTest
  @EnumSource
  void rowOutsideTheRegionIsFinalInABatchOnly(ErrorKind kind) {
    IOException adapted = ErrorAdapter.adaptInBatch(kind, "row");
    if (kind == ErrorKind.WRONG_REGION) {
      assertInstanceOf(FailedSanityCheckException.class, adapted);
    } else {
      assertEquals(CLASSES.get(kind), adapted.getClass());
    }
  }
}
