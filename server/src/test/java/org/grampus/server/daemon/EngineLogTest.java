package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.EngineEvent;
import org.grampus.engine.EngineEvent.Level;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.NativeEngine;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.testkit.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineLogTest {
  @Test
  void everyEventIsOneLineOfItsLevelAndTopic() throws InterruptedException {
    Queue<List<EngineEvent>> events = new ArrayDeque<>();
    events.add(List.of());
    events.add(
        List.of(
            new EngineEvent(Level.INFO, "flush", "flushed {} at once"),
            new EngineEvent(Level.WARN, "stall", "slow")));
    events.add(List.of(new EngineEvent(Level.ERROR, "events", "bad")));
    try (CapturedLog captured = CapturedLog.of("org.grampus.engine")) {
      EngineLog log = new EngineLog(timeout -> events.poll(), event -> {});
      log.start();
      log.join();
      assertEquals(
          List.of(
              "INFO org.grampus.engine.flush: flushed {} at once",
              "WARN org.grampus.engine.stall: slow",
              "ERROR org.grampus.engine.events: bad"),
          captured.lines());
    }
  }

  @Test
  void aListenerThatFailsEndsNothing() throws InterruptedException {
    Queue<List<EngineEvent>> events = new ArrayDeque<>();
    events.add(List.of(new EngineEvent(Level.WARN, "flush", "one")));
    events.add(List.of(new EngineEvent(Level.WARN, "flush", "two")));
    try (CapturedLog captured = CapturedLog.of("org.grampus.engine")) {
      EngineLog log =
          new EngineLog(
              timeout -> events.poll(),
              event -> {
                throw new IllegalStateException("a defect of the listener");
              });
      log.start();
      log.join();
      assertEquals(
          List.of("WARN org.grampus.engine.flush: one", "WARN org.grampus.engine.flush: two"),
          captured.lines());
    }
  }

  @Test
  void aPollThatFailsEndsNothing() throws InterruptedException {
    Queue<List<EngineEvent>> events = new ArrayDeque<>();
    events.add(List.of(new EngineEvent(Level.WARN, "flush", "after it")));
    AtomicBoolean failed = new AtomicBoolean();
    try (CapturedLog captured = CapturedLog.of("org.grampus.engine")) {
      EngineLog log =
          new EngineLog(
              timeout -> {
                if (failed.compareAndSet(false, true)) {
                  throw new EngineException(ErrorKind.IO, "a defect of the source");
                }
                return events.poll();
              },
              event -> {});
      log.start();
      log.join();
      assertEquals(List.of("WARN org.grampus.engine.flush: after it"), captured.lines());
    }
  }

  @Test
  void aClosedEngineEndsTheLogWithoutAnError() throws InterruptedException {
    try (CapturedLog captured = CapturedLog.of(EngineLog.class.getName())) {
      EngineLog log =
          new EngineLog(
              timeout -> {
                throw new EngineException(ErrorKind.NOT_SERVING, "NativeEngine is closed");
              },
              event -> {});
      log.start();
      log.join();
      assertEquals(List.of(), captured.lines());
    }
  }

  @Test
  void aFlushOfTheEngineIsALineInTheLog(@TempDir Path directory) throws InterruptedException {
    try (CapturedLog captured = CapturedLog.of("org.grampus.engine")) {
      NativeEngine engine = NativeEngine.open(EngineConfig.DEFAULTS);
      EngineLog log = new EngineLog(engine, event -> {});
      log.start();
      LocalRegion region = LocalRegion.create(engine, directory);
      region.put("row", "value");
      region.online().engine().flush();
      region.online().engine().close(false);
      engine.close();
      log.join();
      String expected = "INFO org.grampus.engine.flush: flushed region " + region.encodedName();
      List<String> flushes =
          captured.lines().stream().filter(line -> line.startsWith(expected)).toList();
      assertEquals(1, flushes.size(), captured.lines().toString());
      assertTrue(flushes.get(0).contains("because it was asked for: f: 1 cell, "), flushes.get(0));
    }
  }
}
