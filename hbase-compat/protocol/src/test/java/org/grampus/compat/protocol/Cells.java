package org.grampus.compat.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;

/** Random cells as HBase makes them. */
final class Cells {
  private static final KeyValue.Type[] TYPES = {
    KeyValue.Type.Put,
    KeyValue.Type.Delete,
    KeyValue.Type.DeleteColumn,
    KeyValue.Type.DeleteFamily,
    KeyValue.Type.DeleteFamilyVersion
  };

  private Cells() {}

  static List<KeyValue> random(Random random, int count, boolean tags) {
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Tag> ownTags = new ArrayList<>();
      for (int t = tags ? random.nextInt(3) : 0; t > 0; t--) {
        ownTags.add(new ArrayBackedTag((byte) (1 + random.nextInt(8)), bytes(random, 1, 20)));
      }
      cells.add(
          new KeyValue(
              bytes(random, 1, 40),
              bytes(random, 0, 12),
              bytes(random, 0, 30),
              random.nextLong() >>> 1,
              TYPES[random.nextInt(TYPES.length)],
              bytes(random, 0, 300),
              ownTags));
    }
    return cells;
  }

  static byte[] bytes(Random random, int min, int max) {
    byte[] bytes = new byte[min + random.nextInt(max - min)];
    random.nextBytes(bytes);
    return bytes;
  }
}
