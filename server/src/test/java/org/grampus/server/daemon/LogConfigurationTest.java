package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.StringLayout;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.ConfigurationFactory;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.ParameterizedMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** conf/log4j2.properties, which the server logs by. */
class LogConfigurationTest {
  private static final String LOG_DIR = "grampus.log.dir";
  private static final String SNAPSHOTS = "org.apache.hadoop.hbase.master.snapshot.SnapshotManager";

  @TempDir Path directory;
  private LoggerContext context;
  private Configuration configuration;

  @BeforeEach
  void read() {
    System.setProperty(LOG_DIR, directory.toString());
    context = new LoggerContext("test");
    configuration =
        ConfigurationFactory.getInstance()
            .getConfiguration(context, "test", Path.of("../conf/log4j2.properties").toUri());
    configuration.initialize();
  }

  @AfterEach
  void stop() {
    configuration.stop();
    context.stop();
    System.clearProperty(LOG_DIR);
  }

  private String record(String appender, Throwable thrown) {
    LogEvent event =
        Log4jLogEvent.newBuilder()
            .setLoggerName("org.apache.hadoop.hbase.master.HMaster")
            .setLevel(Level.WARN)
            .setMessage(new ParameterizedMessage("it is {}", "so"))
            .setThrown(thrown)
            .build();
    return ((StringLayout) configuration.getAppender(appender).getLayout()).toSerializable(event);
  }

  @Test
  void everyRecordEndsItsLine() {
    IOException plain = new IOException("no disk");
    IOException withCause = new IOException("no file", plain);
    IOException bare = new IOException("no trace");
    bare.setStackTrace(new StackTraceElement[0]);
    for (String appender : List.of("console", "file")) {
      assertEquals(1, record(appender, null).lines().count(), appender);
      assertTrue(record(appender, null).endsWith("it is so" + System.lineSeparator()));
      for (Throwable thrown : List.of(plain, withCause, bare)) {
        String record = record(appender, thrown);
        assertTrue(record.endsWith(System.lineSeparator()), () -> appender + ": " + record);
        assertFalse(record.contains("\n\n"), () -> appender + ": " + record);
        assertTrue(record.contains(thrown.getMessage()), () -> appender + ": " + record);
      }
    }
    assertEquals(4, record("console", plain).lines().count());
  }

  @Test
  void snapshotsDoNotComplainThatALocalDiskHasNoAcl() {
    LoggerConfig logger = configuration.getLoggerConfig(SNAPSHOTS);
    assertEquals(
        Filter.Result.DENY,
        logger
            .getFilter()
            .filter(
                event("Unable to retrieve ACL status for path: {}, current working dir path: {}")));
    assertEquals(
        Filter.Result.NEUTRAL, logger.getFilter().filter(event("Failed taking snapshot {}")));
    assertEquals(Level.INFO, logger.getLevel());
  }

  private static LogEvent event(String message) {
    return Log4jLogEvent.newBuilder()
        .setLoggerName(SNAPSHOTS)
        .setLevel(Level.WARN)
        .setMessage(new ParameterizedMessage(message, "a", "b"))
        .setThrown(new UnsupportedOperationException("getAclStatus"))
        .build();
  }
}
