package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class KeyProgressTest {
  private static byte[] b(String key) {
    return Bytes.toBytes(key);
  }

  private static final List<Piece> PIECES =
      List.of(new Piece(b("0"), 10), new Piece(b("5"), 80), new Piece(b("6"), 10));

  private static final KeyRange RANGE = KeyRange.of(b("0"), b("8"));

  @Test
  void bytesOfPiecesCountAndWithinOneKeysDo() {
    KeyProgress progress = new KeyProgress(RANGE, PIECES, false);
    assertEquals(0, progress.at(b("0")), 1e-6);
    assertEquals(0.1, progress.at(b("5")), 1e-6);
    assertTrue(progress.at(b("53")) > 0.2);
    assertEquals(0.9, progress.at(b("6")), 1e-6);
    assertEquals(0.95, progress.at(b("7")), 0.01);
  }

  @Test
  void aReversedScanGoesTheOtherWay() {
    KeyProgress progress = new KeyProgress(RANGE, PIECES, true);
    assertEquals(0.05, progress.at(b("7")), 0.01);
    assertEquals(0.1, progress.at(b("6")), 1e-6);
    assertEquals(0.9, progress.at(b("5")), 1e-6);
  }

  @Test
  void withoutPiecesKeysAlone() {
    KeyProgress progress = new KeyProgress(KeyRange.ALL, List.of(), false);
    assertEquals(0.5, progress.at(new byte[] {(byte) 0x80}), 0.01);
    assertTrue(progress.at(new byte[] {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF}) <= 1);
  }

  @Test
  void progressNeverGoesBack() {
    Seeds.check(
        random -> {
          Keys keys = Keys.any(random);
          List<byte[]> rows =
              java.util.stream.Stream.generate(() -> keys.next(random))
                  .limit(20)
                  .sorted(Bytes.BYTES_COMPARATOR)
                  .toList();
          List<Piece> pieces =
              List.of(new Piece(new byte[0], 5), new Piece(rows.get(8), random.nextInt(100)));
          KeyProgress progress = new KeyProgress(KeyRange.ALL, pieces, false);
          float before = 0;
          for (byte[] row : rows) {
            float now = progress.at(row);
            assertTrue(now >= before && now <= 1, before + " " + now);
            before = now;
          }
        });
  }
}
