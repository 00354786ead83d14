package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;

/**
 * The jars of Arrow's Java library that tasks on a cluster need for vectors, in the version that
 * the job's program has. Nothing here loads a class of it where it is not wanted. Of Jackson, which
 * schemas of Arrow use, Hadoop has its own.
 */
public final class ArrowJars {
  /** A class of each jar. */
  private static final List<String> CLASSES =
      List.of(
          "org.apache.arrow.c.Data",
          "org.apache.arrow.vector.VectorSchemaRoot",
          "org.apache.arrow.memory.BufferAllocator",
          "org.apache.arrow.flatbuf.Schema",
          "com.google.flatbuffers.Table");

  /** Where memory comes from: one of these is enough. */
  private static final List<String> ALLOCATORS =
      List.of(
          "org.apache.arrow.memory.unsafe.UnsafeAllocationManager",
          "org.apache.arrow.memory.netty.NettyAllocationManager");

  private ArrowJars() {}

  /**
   * Adds them to those that the framework ships with a job.
   *
   * @throws IOException when the class path of this program lacks one
   */
  public static void add(Configuration job) throws IOException {
    for (String name : CLASSES) {
      add(job, found(name).orElseThrow(() -> missing(name)));
    }
    add(
        job,
        ALLOCATORS.stream()
            .flatMap(name -> found(name).stream())
            .findFirst()
            .orElseThrow(() -> missing("a jar arrow-memory-*")));
  }

  private static void add(Configuration job, Class<?> ofJar) throws IOException {
    TableMapReduceUtil.addDependencyJarsForClasses(job, ofJar);
  }

  private static IOException missing(String what) {
    return new IOException(
        "the class path lacks "
            + what
            + "; batches need arrow-c-data, arrow-vector and an arrow-memory-* of one version");
  }

  private static Optional<Class<?>> found(String name) {
    try {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      return Optional.of(Class.forName(name, false, loader));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }
}
