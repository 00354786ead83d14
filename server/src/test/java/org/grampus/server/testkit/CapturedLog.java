package org.grampus.server.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** What goes to a logger and those below it, from INFO on, as long as this is open. */
public final class CapturedLog implements AutoCloseable {
  private final String logger;
  private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
  private final Lines lines = new Lines();

  private CapturedLog(String logger) {
    this.logger = logger;
    Configuration configuration = context.getConfiguration();
    lines.start();
    LoggerConfig config = new LoggerConfig(logger, Level.INFO, true);
    config.addAppender(lines, Level.INFO, null);
    configuration.addLogger(logger, config);
    context.updateLoggers();
  }

  /** Captures a logger by its name. */
  public static CapturedLog of(String logger) {
    return new CapturedLog(logger);
  }

  /** The lines so far: level, logger, colon, message. */
  public List<String> lines() {
    return List.copyOf(lines.text);
  }

  @Override
  public void close() {
    context.getConfiguration().removeLogger(logger);
    context.updateLoggers();
    lines.stop();
  }

  private static final class Lines extends AbstractAppender {
    private final List<String> text = new CopyOnWriteArrayList<>();

    Lines() {
      super("captured", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      text.add(
          event.getLevel()
              + " "
              + event.getLoggerName()
              + ": "
              + event.getMessage().getFormattedMessage());
    }
  }
}
