package org.grampus.mapreduce.download;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.mapreduce.files.PartReport;

/** A new file that counts its bytes and knows their checksum. One thread. */
final class CountedOutput extends FilterOutputStream {
  private final FSDataOutputStream file;
  private final CRC32C checksum = new CRC32C();
  private long bytes;
  private IOException failure;

  private CountedOutput(FSDataOutputStream file) {
    super(file);
    this.file = file;
  }

  /** Creates a file that is not there yet. */
  static CountedOutput create(FileSystem fs, Path path) throws IOException {
    return new CountedOutput(fs.create(path, false));
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    trying(() -> file.write(from, offset, length));
    checksum.update(from, offset, length);
    bytes += length;
  }

  @Override
  public void flush() throws IOException {
    trying(file::flush);
  }

  /** What a file system does with the file. */
  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  /**
   * Nothing is tried after a failure. HDFS would throw the same exception again, which a try
   * statement that closes something answers with an exception of its own.
   */
  private void trying(Change change) throws IOException {
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    try {
      change.make();
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  /** After a failure it was said why; some file systems would say it once more. */
  @Override
  public void close() throws IOException {
    try {
      file.close();
    } catch (IOException e) {
      if (failure == null) {
        throw e;
      }
    }
  }

  /** Bytes so far. */
  long bytes() {
    return bytes;
  }

  /** Makes the file durable, and says what it has. */
  PartReport report(Path path, long rows) throws IOException {
    trying(file::hsync);
    String digits = HexFormat.of().toHexDigits((int) checksum.getValue());
    return new PartReport(path.getName(), rows, bytes, digits);
  }
}
