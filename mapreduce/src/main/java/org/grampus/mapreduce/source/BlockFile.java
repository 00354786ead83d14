package org.grampus.mapreduce.source;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * A file that Hadoop's {@link org.apache.hadoop.io.compress.BlockDecompressorStream} reads, which
 * takes any end of its file for the end of the text. Each block begins with the length of its text,
 * which is followed here: the stream reads such a number byte by byte, after all text before it was
 * handed out. One thread.
 */
@SuppressWarnings("InputStreamSlowMultibyteRead") // the other is final, and reads many at once
final class BlockFile extends FSDataInputStream {
  /** Bytes of text that the blocks have which have begun. */
  private long announced;

  private long handedOut;
  private int number;
  private int bytesOfNumber;

  BlockFile(FSDataInputStream file) {
    super(file);
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    if (read >= 0 && handedOut == announced) {
      number = number << Byte.SIZE | read;
      bytesOfNumber++;
      if (bytesOfNumber == Integer.BYTES) {
        announced += number;
        bytesOfNumber = 0;
        number = 0;
      }
    }
    return read;
  }

  /** Goes on by bytes of text that were handed out. */
  void handedOut(int bytes) {
    handedOut += bytes;
  }

  /** Whether no block has begun of which text is missing. */
  boolean isWhole() {
    return handedOut == announced && bytesOfNumber == 0;
  }
}
