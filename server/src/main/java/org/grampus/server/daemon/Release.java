package org.grampus.server.daemon;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/** What a release says of itself in its file {@code RELEASE}, which {@code bin/dist} writes. */
record Release(String version, String commit, String platform) {
  /** That of an installation; a checkout has none. */
  static Optional<Release> of(Path home) throws IOException {
    Properties said = new Properties();
    try (Reader reader = Files.newBufferedReader(home.resolve("RELEASE"))) {
      said.load(reader);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    return Optional.of(
        new Release(value(said, "version"), value(said, "commit"), value(said, "platform")));
  }

  private static String value(Properties said, String key) {
    return said.getProperty(key, "an unknown " + key);
  }
}
