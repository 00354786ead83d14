package org.grampus.mapreduce.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final int PAGE = 20_000;
  private static final int ENOUGH = 64 << 20;

  private final byte[] file = new byte[8 << 20];
  private final List<Integer> reads = new ArrayList<>();
  private int failing = -1;

  ReadAheadTest() {
    new Random(7).nextBytes(file);
  }

  private ReadAhead reader(long bytesMax) {
    return new ReadAhead(this::read, file.length, bytesMax);
  }

  private void read(long position, ByteBuffer into) throws IOException {
    if (reads.size() == failing) {
      failing = -1;
      throw new IOException("broken");
    }
    if (position + into.remaining() > file.length) {
      throw new EOFException();
    }
    reads.add(into.remaining());
    into.put(file, (int) position, into.remaining());
  }

  private void check(ReadAhead reader, int position, int count) throws IOException {
    ByteBuffer into = ByteBuffer.allocateDirect(count + 2).position(1).limit(count + 1);
    reader.readFully(position, into);
    assertEquals(0, into.remaining());
    byte[] got = new byte[count];
    into.position(1).get(got);
    assertArrayEquals(Arrays.copyOfRange(file, position, position + count), got);
  }

  private long bytesRead() {
    return reads.stream().mapToLong(Integer::longValue).sum();
  }

  @Test
  void aWalkIsReadInPartsOfAMegabyte() throws IOException {
    ReadAhead reader = reader(ENOUGH);
    for (int at = 0; at + PAGE <= file.length; at += PAGE) {
      check(reader, at, PAGE);
    }
    assertEquals(1 << 20, reads.stream().mapToInt(n -> n).max().orElseThrow());
    assertTrue(reads.size() <= 20, reads.toString());
    assertTrue(bytesRead() <= file.length, "no byte twice");
  }

  @Test
  void columnsSideBySideAreAWalkEach() throws IOException {
    ReadAhead reader = reader(ENOUGH);
    int chunk = 1 << 20;
    for (int at = 0; at + PAGE <= chunk; at += PAGE) {
      for (int column = 0; column < 8; column++) {
        check(reader, column * chunk + at, PAGE);
      }
    }
    assertTrue(reads.size() <= 8 * 9, reads.size() + " reads");
    assertTrue(bytesRead() <= file.length, "no byte twice");
  }

  @Test
  void oneColumnOfManyCostsLittleMoreThanItsBytes() throws IOException {
    ReadAhead reader = reader(ENOUGH);
    int chunk = 800_000;
    for (int group = 0; group < 2; group++) {
      for (int at = 0; at + PAGE <= chunk; at += PAGE) {
        check(reader, (group << 22) + at, PAGE);
      }
    }
    assertTrue(reads.size() <= 2 * 9, reads.toString());
    assertTrue(bytesRead() <= 2 * 1.5 * chunk, bytesRead() + " bytes");
  }

  @Test
  void pagesFarFromEachOtherAreReadAlone() throws IOException {
    ReadAhead reader = reader(ENOUGH);
    for (int at = 7 << 20; at > 0; at -= 1 << 20) {
      check(reader, at, PAGE);
    }
    for (int at = 0; at < 8 << 20; at += 1 << 20) {
      check(reader, at + PAGE * 8, PAGE);
    }
    assertEquals(15L * PAGE, bytesRead());
  }

  @Test
  void aSmallGapIsPartOfTheWalk() throws IOException {
    ReadAhead reader = reader(ENOUGH);
    for (int at = 0; at + PAGE <= 1 << 20; at += 2 * PAGE) {
      check(reader, at, PAGE);
    }
    assertTrue(reads.size() < 10, reads.toString());
  }

  @Test
  void moreColumnsThanStreamsCostNoMoreBytesThanTheyHave() throws IOException {
    ReadAhead reader = reader(ENOUGH);
    int columns = ReadAhead.STREAMS_MAX + 10;
    int chunk = file.length / columns;
    int page = 1000;
    int pages = 0;
    for (int at = 0; at + page <= chunk; at += page) {
      for (int column = 0; column < columns; column++) {
        check(reader, column * chunk + at, page);
        pages++;
      }
    }
    assertTrue(bytesRead() <= 1.1 * file.length, bytesRead() + " bytes for " + pages + " pages");
  }

  @Test
  void nothingIsReadAheadWithoutMemory() throws IOException {
    ReadAhead reader = reader(0);
    check(reader, 0, PAGE);
    check(reader, PAGE, PAGE);
    assertEquals(List.of(PAGE, PAGE), reads);
  }

  @Test
  void theEndOfTheFileIsTheEndOfTheWindow() throws IOException {
    ReadAhead reader = reader(ENOUGH);
    int from = file.length - 3 * PAGE;
    check(reader, from, PAGE);
    check(reader, from + PAGE, PAGE);
    check(reader, from + 2 * PAGE, PAGE);
    assertEquals(List.of(PAGE, 2 * PAGE), reads);
    assertThrows(EOFException.class, () -> check(reader, file.length - 5, 6));
  }

  @Test
  void aFailedReadLeavesNothingBehind() throws IOException {
    ReadAhead reader = reader(ENOUGH);
    check(reader, 0, PAGE);
    failing = 1;
    assertThrows(IOException.class, () -> check(reader, PAGE, PAGE));
    check(reader, PAGE, PAGE);
    check(reader, 2 * PAGE, PAGE);
  }

  @Test
  void anyReadsReturnTheFile() throws IOException {
    Random random = new Random(11);
    for (long bytesMax : new long[] {100_000, 1 << 20, ENOUGH}) {
      ReadAhead reader = reader(bytesMax);
      int[] walks = random.ints(12, 0, file.length / 2).toArray();
      for (int i = 0; i < 2000; i++) {
        int walk = random.nextInt(walks.length);
        int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 300_000 : 5_000);
        walks[walk] = walks[walk] + count > file.length ? random.nextInt(1000) : walks[walk];
        check(reader, walks[walk], count);
        walks[walk] += count + (random.nextInt(5) == 0 ? random.nextInt(100_000) : 0);
      }
    }
  }
}
