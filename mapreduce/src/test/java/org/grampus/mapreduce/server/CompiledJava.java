package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Programs of the documentation, compiled against the class path of this process. */
final class CompiledJava implements Closeable {
  private final Path classes;
  private final URLClassLoader loader;

  private CompiledJava(Path classes, URLClassLoader loader) {
    this.classes = classes;
    this.loader = loader;
  }

  /** Compiles files into a new directory below one of the test's. */
  static CompiledJava of(Path directory, Path... sources) throws IOException {
    Path classes = Files.createTempDirectory(directory, "classes");
    List<String> arguments =
        new ArrayList<>(
            List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path")));
    Stream.of(sources).map(Path::toString).forEach(arguments::add);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(new String[0]));
    assertEquals(0, code, "javac of " + List.of(sources));
    ClassLoader parent = Thread.currentThread().getContextClassLoader();
    return new CompiledJava(
        classes, new URLClassLoader(new URL[] {classes.toUri().toURL()}, parent));
  }

  /** A program of docs/examples. */
  static CompiledJava example(Path directory, String program) throws IOException {
    return of(directory, Path.of("../docs/examples", program + ".java"));
  }

  /**
   * Starts a program in a process of its own, which the caller ends.
   *
   * @param site what HBaseConfiguration.create() reads there
   */
  Process start(String program, Configuration site, Path log) throws IOException {
    try (OutputStream out = Files.newOutputStream(classes.resolve("hbase-site.xml"))) {
      site.writeXml(out);
    }
    List<String> line = new ArrayList<>(ClientJvm.COMMAND);
    String classPath = classes + File.pathSeparator + System.getProperty("java.class.path");
    line.addAll(List.of("-cp", classPath, program));
    return new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  Class<?> type(String name) throws ClassNotFoundException {
    return loader.loadClass(name);
  }

  /** Lets a configuration find the programs' classes. */
  void lead(Configuration conf) {
    conf.setClassLoader(loader);
  }

  /** Runs where the programs are this thread's classes. */
  <T> T within(Callable<T> call) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return call.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Runs a tool as its main method does; its exit code. */
  int run(String tool, Configuration conf, String... arguments) throws Exception {
    lead(conf);
    Tool made = (Tool) type(tool).getConstructor().newInstance();
    return within(() -> ToolRunner.run(conf, made, arguments));
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
