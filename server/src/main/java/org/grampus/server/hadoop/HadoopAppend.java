package org.grampus.server.hadoop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.grampus.engine.AppendStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An output stream of a Hadoop file system. HDFS's own repairs its pipeline when a data node dies,
 * and after a failure that it cannot repair fails in every call.
 */
final class HadoopAppend implements AppendStream {
  private static final Logger LOG = LoggerFactory.getLogger(HadoopAppend.class);

  /** Streams take arrays: bytes go over in pieces of a packet of HDFS. */
  private static final int COPY_BYTES = 64 << 10;

  private final Path path;
  private final FSDataOutputStream out;
  private final Executor abandoned;
  private byte[] copy = new byte[0];

  /**
   * A new file.
   *
   * @param abandoned runs what takes time when the file is given up
   */
  HadoopAppend(Path path, FSDataOutputStream out, Executor abandoned) {
    this.path = path;
    this.out = out;
    this.abandoned = abandoned;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    if (copy.length < Math.min(bytes.remaining(), COPY_BYTES)) {
      copy = new byte[Math.min(bytes.remaining(), COPY_BYTES)];
    }
    call(
        () -> {
          while (bytes.hasRemaining()) {
            int count = Math.min(bytes.remaining(), copy.length);
            bytes.get(copy, 0, count);
            out.write(copy, 0, count);
          }
        });
  }

  @Override
  public void flush() throws IOException {
    call(out::hflush);
  }

  @Override
  public void sync() throws IOException {
    call(out::hsync);
  }

  /** HDFS's stream fails once here and is silent the next time: it is not called again. */
  @Override
  public void close() throws IOException {
    call(out::close);
  }

  /** A part of a call. */
  interface Step {
    void run() throws IOException;
  }

  /** A call of a stream, whose failure is told in the engine's words. */
  static void call(Step step) throws IOException {
    try {
      Uninterrupted.run(
          () -> {
            step.run();
            return null;
          });
    } catch (IOException e) {
      throw FileFailures.of(e);
    }
  }

  /** Its client would keep the file's lease alive for ever. */
  @Override
  public void abandon() {
    abandoned.execute(
        () -> {
          try {
            out.close();
          } catch (IOException | RuntimeException e) {
            LOG.info("{} was given up: {}", path, e.toString());
          }
        });
  }
}
