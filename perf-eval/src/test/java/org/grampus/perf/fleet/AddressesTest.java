package org.grampus.perf.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class AddressesTest {
  @Test
  void eachServerHasItsOwn() {
    Set<String> all =
        IntStream.range(0, Addresses.MOST).mapToObj(Addresses::of).collect(Collectors.toSet());
    assertEquals(Addresses.MOST, all.size());
  }

  @Test
  void allAreOfThisMachine() throws Exception {
    for (int number : new int[] {0, 1, 249, 250, 1000, Addresses.MOST - 1}) {
      assertTrue(InetAddress.getByName(Addresses.of(number)).isLoopbackAddress());
    }
  }
}
