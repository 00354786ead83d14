package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A server that may say anything: rows in any order and place and of any length, bytes of any
 * number, and errors. What it says of a row depends on the row and the seed alone, whichever thread
 * asks and when. Any thread.
 */
final class AnyAnswers implements ServerPieces.Service {
  private final Keys keys;
  private final long seed;

  AnyAnswers(Keys keys, long seed) {
    this.keys = keys;
    this.seed = seed;
  }

  @Override
  public ServerPieces.Answer ask(byte[] row, long pieceBytes) throws IOException {
    Random random = new Random(seed ^ Arrays.hashCode(row) * 0x9E3779B97F4A7C15L);
    switch (random.nextInt(100)) {
      case 0 -> throw new UnknownProtocolException("not here");
      case 1 -> throw new IOException("no answer");
      case 2 -> throw new IllegalStateException("a defect");
      case 3 -> throw new NoClassDefFoundError("com/google/protobuf/Message");
      default -> {
        byte[] end = random.nextInt(3) == 0 ? new byte[0] : anyRow(random);
        return new ServerPieces.Answer(pieces(random), end);
      }
    }
  }

  private List<Piece> pieces(Random random) {
    int most = random.nextInt(30) == 0 ? 2 * CheckedPieces.PIECES_MAX : 40;
    boolean plausible = random.nextBoolean();
    List<Piece> pieces = new ArrayList<>();
    for (int i = random.nextInt(most); i > 0; i--) {
      pieces.add(new Piece(anyRow(random), plausible ? random.nextInt(1 << 18) : any(random)));
    }
    if (random.nextInt(4) > 0) {
      pieces.sort((a, b) -> Bytes.compareTo(a.firstRow(), b.firstRow()));
    }
    return pieces;
  }

  private byte[] anyRow(Random random) {
    byte[] row = keys.next(random);
    if (random.nextInt(100) > 0) {
      return row;
    }
    return Arrays.copyOf(row, HConstants.MAX_ROW_LENGTH - 1 + random.nextInt(3));
  }

  private static long any(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> random.nextLong();
      case 2 -> Long.MAX_VALUE;
      default -> random.nextInt(1 << 24);
    };
  }
}
