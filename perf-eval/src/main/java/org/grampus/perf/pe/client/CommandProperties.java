package org.grampus.perf.pe.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.grampus.perf.pe.option.PeOptions;

/** Reads {@code --commandPropertiesFile} from the class path. */
public final class CommandProperties {
  private CommandProperties() {}

  /**
   * The properties; empty when no file is named.
   *
   * @throws IOException when there is no such file, or when it cannot be read
   */
  public static Properties of(PeOptions options) throws IOException {
    Properties properties = new Properties();
    String file = options.propertiesFile();
    if (file != null) {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      try (InputStream in = loader.getResourceAsStream(file)) {
        if (in == null) {
          throw new IOException("there is no file " + file + " on the class path");
        }
        properties.load(in);
      }
    }
    return properties;
  }
}
