package org.grampus.compat.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.junit.jupiter.api.Test;

class ErrorAdapterTest {
  @Test
  void everyKindHasAnExceptionThatClientsCanMake() throws Exception {
    for (ErrorKind kind : ErrorKind.values()) {
      EngineException error = new EngineException(kind, "why");
      IOException adapted = ErrorAdapter.adapt(error);
      assertEquals("why", adapted.getMessage());
      assertEquals(error, adapted.getCause());
      assertNotNull(adapted.getClass().getConstructor(String.class), "clients make it from text");
    }
    assertNull(ErrorAdapter.adapt(new IllegalStateException()));
  }

  @Test
  void rowOutsideTheRegionIsFinalInABatchOnly() {
    assertInstanceOf(WrongRegionException.class, ErrorAdapter.adapt(ErrorKind.WRONG_REGION, "row"));
    assertInstanceOf(
        FailedSanityCheckException.class, ErrorAdapter.adaptInBatch(ErrorKind.WRONG_REGION, "row"));
  }
}
