package org.grampus.mapreduce.source;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/** A file of text that is read, decompressed if its name says so. One thread. */
final class SourceFile implements Closeable {
  private final FSDataInputStream file;
  private final InputStream text;

  private SourceFile(FSDataInputStream file, InputStream text) {
    this.file = file;
    this.text = text;
  }

  /** Opens a file from its first byte on. */
  static SourceFile open(Configuration conf, Path path) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    FSDataInputStream file = fs.open(path);
    try {
      CompressionCodec codec = codec(conf, path);
      return new SourceFile(file, codec == null ? file : decompressed(codec, file, fs, path));
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(file);
      throw e;
    }
  }

  /** The codec that the name of a file says, or null. */
  static CompressionCodec codec(Configuration conf, Path path) {
    return new CompressionCodecFactory(conf).getCodec(path);
  }

  private static InputStream decompressed(
      CompressionCodec codec, FSDataInputStream file, FileSystem fs, Path path) throws IOException {
    long length = fs.getFileStatus(path).getLen();
    try {
      return new WholeText(codec, file, path, length);
    } catch (RuntimeException | UnsatisfiedLinkError e) { // how Hadoop says that a library lacks
      throw new IOException(
          path
              + " cannot be decompressed: Hadoop's "
              + codec.getClass().getSimpleName()
              + " does not work here; decompress the file before ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /** Goes to a byte of a file that is not compressed. */
  void seek(long position) throws IOException {
    file.seek(position);
  }

  /** The text. */
  InputStream in() {
    return text;
  }

  /** Bytes of the file that were read. */
  long position() throws IOException {
    return file.getPos();
  }

  @Override
  public void close() throws IOException {
    text.close();
  }
}
