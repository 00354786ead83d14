package org.grampus.mapreduce.source;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.BlockDecompressorStream;
import org.apache.hadoop.io.compress.CompressionCodec;

/**
 * The text of a compressed file, which ends only where the file does: some of Hadoop's streams end
 * without an error where a file is cut. One thread.
 */
final class WholeText extends InputStream {
  private static final String WHAT = "its compressed text";

  private final CompressionCodec codec;
  private final Path path;
  private final long length;
  private final BlockFile file;
  private final InputStream text;
  private boolean ended;

  /**
   * Opens a text.
   *
   * @param file is closed with the text
   * @param length of the file
   */
  WholeText(CompressionCodec codec, FSDataInputStream file, Path path, long length)
      throws IOException {
    this.codec = codec;
    this.path = path;
    this.length = length;
    this.file = new BlockFile(file);
    try {
      this.text = codec.createInputStream(this.file);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Before its end a file may be damaged or away, which the cause says. */
  private IOException unreadable(IOException cause) throws IOException {
    long position = file.getPos();
    return position >= length
        ? new CutFileException(path, WHAT, length, cause)
        : new IOException(
            path + " cannot be read beyond byte " + position + ": " + cause.getMessage(), cause);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int bytes) throws IOException {
    if (ended) {
      return -1;
    }
    int read;
    try {
      read = readOn(into, offset, bytes);
    } catch (IOException e) {
      throw unreadable(e);
    }
    if (read < 0) {
      requireWhole();
      ended = true;
    } else {
      file.handedOut(read);
    }
    return read;
  }

  /** An empty block ends a stream of blocks, also where another file's blocks were put behind. */
  private int readOn(byte[] into, int offset, int bytes) throws IOException {
    int read = text.read(into, offset, bytes);
    while (read < 0 && hasBlocks() && file.isWhole() && file.getPos() < length) {
      read = text.read(into, offset, bytes);
    }
    return read;
  }

  private boolean hasBlocks() {
    return text.getClass() == BlockDecompressorStream.class;
  }

  private void requireWhole() throws IOException {
    long position = file.getPos();
    if (position < length) {
      throw new IOException(
          path + " ends as a compressed file at byte " + position + " of " + length);
    }
    boolean isCut = hasBlocks() && !file.isWhole();
    if (isCut || length == 0) { // even of no text something is left
      throw new CutFileException(path, WHAT, length, null);
    }
    if (codec instanceof BZip2Codec) {
      Bzip2End.require(file, path, WHAT, length);
    }
  }

  @Override
  public void close() throws IOException {
    text.close();
  }
}
