package org.grampus.mapreduce.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.table.FamilyAdapter;
import org.grampus.engine.ColumnFileReport;
import org.grampus.engine.ColumnFileRequest;
import org.grampus.engine.FamilyDescription;
import org.grampus.engine.NativeColumnFile;

/** Column files that tests load. */
final class WrittenFiles {
  private static final long TIMESTAMP = 5;

  private WrittenFiles() {}

  /** A file below an output directory with the rows of these numbers in the column {@code q}. */
  static ColumnFileReport write(
      Path output,
      Configuration conf,
      TableDescriptor table,
      byte[] family,
      String value,
      int from,
      int until)
      throws IOException {
    FamilyDescription description =
        FamilyAdapter.families(table, conf).stream()
            .filter(f -> Bytes.equals(f.name(), family))
            .findFirst()
            .orElseThrow();
    Path path = new Path(new Path(output, Bytes.toString(family)), UUID.randomUUID().toString());
    try (FSDataOutputStream out = path.getFileSystem(conf).create(path, false);
        NativeColumnFile file =
            NativeColumnFile.open(
                new ColumnFileRequest(description, System.currentTimeMillis()),
                bytes -> {
                  byte[] copy = new byte[bytes.remaining()];
                  bytes.get(copy);
                  out.write(copy);
                })) {
      for (int n = from; n < until; n++) {
        byte[] row = Bytes.toBytes(JobTest.row(n));
        byte[] text = Bytes.toBytes(value + n);
        file.append(cell(new KeyValue(row, family, Bytes.toBytes("q"), TIMESTAMP, text)));
      }
      return file.finish();
    }
  }

  private static ByteBuffer cell(KeyValue cell) {
    return ByteBuffer.allocateDirect(Integer.BYTES + cell.getLength())
        .putInt(cell.getLength())
        .put(cell.getBuffer(), cell.getOffset(), cell.getLength())
        .flip();
  }
}
