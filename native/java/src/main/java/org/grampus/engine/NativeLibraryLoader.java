package org.grampus.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/**
 * Loads the engine's library once per process: the file that {@code grampus.native.library} names,
 * else the one packed into this jar for the platform, extracted to {@code grampus.native.dir}
 * (default: the temporary directory) under a name of its own and deleted at once, which Linux and
 * macOS allow for a loaded library.
 */
final class NativeLibraryLoader {
  private static boolean loaded;

  private NativeLibraryLoader() {}

  static synchronized void load() {
    if (loaded) {
      return;
    }
    String explicit = System.getProperty("grampus.native.library");
    if (explicit != null) {
      System.load(Path.of(explicit).toAbsolutePath().toString());
    } else {
      loadPacked();
    }
    loaded = true;
  }

  private static void loadPacked() {
    String resource = platform() + "/" + System.mapLibraryName("grampus");
    try (InputStream packed = NativeLibraryLoader.class.getResourceAsStream(resource)) {
      if (packed == null) {
        throw new UnsatisfiedLinkError(
            "this build of Grampus has no native library for " + platform());
      }
      Path file =
          Files.createTempFile(directory(), "grampus-", "-" + System.mapLibraryName("grampus"));
      try {
        Files.copy(packed, file, StandardCopyOption.REPLACE_EXISTING);
        System.load(file.toAbsolutePath().toString());
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot extract the native library to " + directory(), e);
    }
  }

  private static Path directory() {
    return Path.of(System.getProperty("grampus.native.dir", System.getProperty("java.io.tmpdir")));
  }

  private static String platform() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String osName = os.startsWith("mac") ? "macos" : os;
    String archName = arch.equals("amd64") ? "x86_64" : arch;
    return osName + "-" + archName;
  }
}
