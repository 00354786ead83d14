package org.grampus.server.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.table.FamilyAdapter;
import org.grampus.engine.ColumnFileRequest;
import org.grampus.engine.FamilyDescription;
import org.grampus.engine.NativeColumnFile;

/** Column files as jobs write them, for tests. */
public final class ColumnFiles {
  private static final long TIMESTAMP = 7;

  private ColumnFiles() {}

  /** A file with a cell in the column {@code q} of each row, whose value is given. */
  public static Path write(Path file, String family, String value, String... rows)
      throws IOException {
    Files.createDirectories(file.getParent());
    FamilyDescription description =
        FamilyAdapter.families(
                TableDescriptorBuilder.newBuilder(TableName.valueOf("any"))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
                    .build(),
                new Configuration(false))
            .get(0);
    try (FileChannel out =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        NativeColumnFile columns =
            NativeColumnFile.open(
                new ColumnFileRequest(description, System.currentTimeMillis()),
                bytes -> {
                  while (bytes.hasRemaining()) {
                    out.write(bytes);
                  }
                })) {
      for (String row : rows) {
        columns.append(cell(row, family, value));
      }
      columns.finish();
    }
    return file;
  }

  private static ByteBuffer cell(String row, String family, String value) {
    KeyValue cell =
        new KeyValue(
            Bytes.toBytes(row),
            Bytes.toBytes(family),
            Bytes.toBytes("q"),
            TIMESTAMP,
            Bytes.toBytes(value));
    return ByteBuffer.allocateDirect(Integer.BYTES + cell.getLength())
        .putInt(cell.getLength())
        .put(cell.getBuffer(), cell.getOffset(), cell.getLength())
        .flip();
  }
}
