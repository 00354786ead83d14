package org.grampus.mapreduce.source;

import java.io.EOFException;
import java.io.IOException;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.hadoop.fs.AvroFSInput;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/**
 * The blocks of a file of Avro. The library says that no record follows where the file ends, where
 * it is cut within a block, and at a block without records, as Avro's C++ ends a file with. One
 * thread.
 */
final class AvroBlocks extends DataFileReader<GenericRecord> {
  /** At most, of the numbers of records and bytes that a block begins with. */
  private static final int NUMBERS_BYTES = 20;

  private final FSDataInputStream file;
  private final Path path;
  private final long length;
  private final long first;

  AvroBlocks(FSDataInputStream file, Path path, long length) throws IOException {
    super(new AvroFSInput(file, length), new GenericDatumReader<>());
    this.file = file;
    this.path = path;
    this.length = length;
    this.first = previousSync();
  }

  /** Goes to the blocks of a split. The header may have the mark that is looked for, too. */
  void goTo(long begin) throws IOException {
    if (begin + DataFileConstants.SYNC_SIZE <= first) {
      seek(first);
    } else {
      sync(begin);
    }
  }

  /** Whether a record follows in the blocks of a split that ends at a byte. */
  boolean hasNextBefore(long end) throws IOException {
    while (!hasNext() && !pastSync(end)) {
      long block = previousSync();
      if (!isWholeAndEmpty(block)) {
        throw new CutFileException(path, "the block at byte " + block, length, null);
      }
      blockFinished();
    }
    return !pastSync(end);
  }

  private boolean isWholeAndEmpty(long block) throws IOException {
    byte[] numbers = new byte[(int) Math.min(NUMBERS_BYTES, length - block)];
    file.readFully(block, numbers);
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(numbers, null);
    try {
      long records = decoder.readLong();
      long bytes = decoder.readLong() + DataFileConstants.SYNC_SIZE;
      long rest = length - block - numbers.length + decoder.inputStream().available();
      return records == 0 && bytes <= rest;
    } catch (EOFException e) { // the file ends within the numbers
      return false;
    }
  }
}
