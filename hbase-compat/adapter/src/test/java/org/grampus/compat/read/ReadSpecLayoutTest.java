package org.grampus.compat.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The read spec as this side writes it, against the file that the engine's test compares with. */
class ReadSpecLayoutTest {
  private static final Path GOLDEN = Path.of("../../native/testdata/boundary/read_spec.txt");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");

  private static List<String> flags() throws IllegalAccessException {
    Map<Integer, String> names = new TreeMap<>();
    for (Field field : ReadFlags.class.getDeclaredFields()) {
      if (!field.isSynthetic()) {
        names.put(field.getInt(null), field.getName().toLowerCase(Locale.ROOT));
      }
    }
    return names.entrySet().stream()
        .map(flag -> "flag." + flag.getValue() + " " + flag.getKey())
        .toList();
  }

  private static String example() throws Exception {
    Scan scan =
        new Scan()
            .withStartRow(Bytes.toBytes("a"))
            .withStopRow(Bytes.toBytes("m"), true)
            .readVersions(3)
            .setMaxResultsPerColumnFamily(5)
            .setRowOffsetPerColumnFamily(1)
            .setCacheBlocks(false)
            .setTimeRange(10, 20)
            .setColumnFamilyTimeRange(F, 11, 19)
            .addColumn(F, Bytes.toBytes("q"))
            .addColumn(F, Bytes.toBytes("p"))
            .addFamily(G)
            .setFilter(new PrefixFilter(Bytes.toBytes("a")));
    ByteBuf out = Unpooled.buffer();
    ScanAdapter.write(ProtobufUtil.toScan(scan), List.of(F, G), out);
    return "example " + ByteBufUtil.hexDump(out);
  }

  @Test
  void theSpecIsThatOfTheEngine() throws Exception {
    List<String> lines = new ArrayList<>(flags());
    lines.add(example());
    assertEquals(Files.readAllLines(GOLDEN), lines);
  }
}
