package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.grampus.engine.NativeFrozenRegion;
import org.junit.jupiter.api.Test;

class JobClassPathTest {
  private static URL url(String jar) {
    try {
      return new File(jar).toURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  void theClassPathHasTheFormatsAndTheEngineAndNoHadoop() throws IOException {
    List<String> jars = JobClassPath.jars();
    URL[] urls = jars.stream().map(JobClassPathTest::url).toArray(URL[]::new);

    try (URLClassLoader loader = new URLClassLoader(urls, null)) {
      assertTrue(has(loader, SnapshotInputFormat.class));
      assertTrue(has(loader, NativeFrozenRegion.class));
      assertEquals(false, has(loader, FileSystem.class));
    }
  }

  private static boolean has(ClassLoader loader, Class<?> type) {
    return loader.getResource(type.getName().replace('.', '/') + ".class") != null;
  }
}
