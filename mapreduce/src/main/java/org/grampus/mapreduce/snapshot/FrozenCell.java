package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.NoTagsKeyValue;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A cell without tags that the engine has encoded: {@link NoTagsKeyValue} but for its look at each
 * length, which costs more than the rest of the cell.
 */
final class FrozenCell extends KeyValue {
  /** The cell in {@code length} bytes of an array from an offset on. */
  FrozenCell(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
  }

  @Override
  public int getTagsLength() {
    return 0;
  }

  @Override
  public int write(OutputStream out, boolean withTags) throws IOException {
    out.write(bytes, offset, length);
    return length;
  }

  @Override
  public int getSerializedSize(boolean withTags) {
    return length;
  }

  @Override
  public ExtendedCell deepClone() {
    NoTagsKeyValue copy = new NoTagsKeyValue(Bytes.copy(bytes, offset, length), 0, length);
    copy.setSequenceId(getSequenceId());
    return copy;
  }
}
