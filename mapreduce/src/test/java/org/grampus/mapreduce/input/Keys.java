package org.grampus.mapreduce.input;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Keys of several kinds, made by chance. */
enum Keys {
  BYTES {
    @Override
    byte[] next(Random random) {
      byte[] key = new byte[1 + random.nextInt(4)];
      random.nextBytes(key);
      return key;
    }
  },
  HIGH {
    @Override
    byte[] next(Random random) {
      byte[] key = new byte[1 + random.nextInt(5)];
      for (int i = 0; i < key.length; i++) {
        key[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt() : 0xFF);
      }
      return key;
    }
  },
  DECIMAL {
    @Override
    byte[] next(Random random) {
      return String.valueOf(random.nextInt(1_000_000)).getBytes(StandardCharsets.US_ASCII);
    }
  },
  SKEWED {
    @Override
    byte[] next(Random random) {
      int number = (int) Math.pow(10, 6 * random.nextDouble());
      return String.format("user%07d", number).getBytes(StandardCharsets.US_ASCII);
    }
  },
  HEX {
    @Override
    byte[] next(Random random) {
      return Integer.toHexString(random.nextInt()).getBytes(StandardCharsets.US_ASCII);
    }
  };

  abstract byte[] next(Random random);

  static Keys any(Random random) {
    return values()[random.nextInt(values().length)];
  }
}
