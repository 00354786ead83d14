package org.grampus.server.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.junit.jupiter.api.Test;

class MemoryAccountTest {
  private static final long MB = 1 << 20;
  private static final long LIMIT = 256 * MB;

  private final MemoryAccount account = new MemoryAccount(LIMIT, LIMIT, LIMIT);
  private final MemoryPeers peers = new MemoryPeers(2);
  private final MemoryPeer one = peers.enter(InetAddress.getLoopbackAddress());
  private final MemoryPeer other = peers.enter(null);

  private boolean take(MemoryPeer peer, long bytes) {
    return account.tryReserve(MemoryUse.REQUESTS, peer, bytes, Rank.of(bytes));
  }

  @Test
  void largeOnesLeaveRoomForSmallerOnesAndAllForSystemCalls() {
    assertTrue(take(one, 100 * MB));
    assertFalse(take(other, 40 * MB), "large ones have half");
    for (int i = 0; i < 23; i++) {
      assertTrue(take(other, 4 * MB));
    }
    assertFalse(take(other, 4 * MB), "medium ones have three quarters");
    while (take(other, 64 << 10)) {
      assertTrue(account.used(MemoryUse.REQUESTS) <= LIMIT);
    }
    assertTrue(account.tryReserve(MemoryUse.REQUESTS, other, MB, Rank.SYSTEM));
    assertEquals(account.pool(MemoryPool.Kind.DIRECT).used(), account.used(MemoryUse.REQUESTS));
  }

  @Test
  void oneAddressHasHalf() {
    while (take(one, MB)) {
      assertTrue(account.used(MemoryUse.REQUESTS) <= LIMIT / 2);
    }
    assertEquals(LIMIT / 2, one.used(MemoryPool.Kind.DIRECT));
    assertFalse(take(one, 1));
    assertTrue(take(other, MB));
  }

  @Test
  void waitersAreServedInTurnAndPassOverAnAddressThatHasItsHalf() {
    List<String> served = new ArrayList<>();
    assertTrue(take(one, 126 * MB));
    account.await(MemoryUse.REQUESTS, one, 4 * MB, Rank.MEDIUM, () -> served.add("one"));
    account.await(MemoryUse.REQUESTS, other, 4 * MB, Rank.MEDIUM, () -> served.add("other"));
    assertEquals(List.of("other"), served, "the first is kept back by its own half");
    account.await(MemoryUse.REQUESTS, other, 60 * MB, Rank.LARGE, () -> served.add("large"));
    account.await(MemoryUse.REQUESTS, other, 5 * MB, Rank.LARGE, () -> served.add("after"));
    assertTrue(account.isContended(MemoryUse.REQUESTS));
    account.release(MemoryUse.REQUESTS, one, 30 * MB);
    assertEquals(List.of("other", "one"), served, "none overtakes one that waits for the pool");
    account.release(MemoryUse.REQUESTS, one, 90 * MB);
    assertEquals(List.of("other", "one", "large", "after"), served);
    assertFalse(account.isContended(MemoryUse.REQUESTS));
    assertEquals(79 * MB, account.used(MemoryUse.REQUESTS));
  }

  @Test
  void addressesTakeTurnsWithinARank() throws UnknownHostException {
    List<String> served = new ArrayList<>();
    MemoryPeer third = peers.enter(InetAddress.getByAddress(new byte[] {10, 0, 0, 1}));
    assertTrue(take(third, 128 * MB));
    for (int i = 0; i < 3; i++) {
      String name = "one" + i;
      account.await(MemoryUse.REQUESTS, one, 30 * MB, Rank.LARGE, () -> served.add(name));
    }
    account.await(MemoryUse.REQUESTS, other, 30 * MB, Rank.LARGE, () -> served.add("other"));
    assertEquals(List.of(), served);
    account.release(MemoryUse.REQUESTS, third, 128 * MB);
    assertEquals(List.of("one0", "other", "one1", "one2"), served);
  }

  @Test
  void aLargeWaiterKeepsNeitherSmallerRanksNorIsOvertakenInItsOwn() {
    List<String> served = new ArrayList<>();
    assertTrue(take(one, 100 * MB));
    account.await(MemoryUse.REQUESTS, other, 120 * MB, Rank.LARGE, () -> served.add("huge"));
    account.await(MemoryUse.REQUESTS, one, 5 * MB, Rank.LARGE, () -> served.add("large"));
    account.await(MemoryUse.REQUESTS, other, 4 * MB, Rank.MEDIUM, () -> served.add("medium"));
    account.await(MemoryUse.REQUESTS, other, 1, Rank.SMALL, () -> served.add("small"));
    assertEquals(List.of("medium", "small"), served);
    account.release(MemoryUse.REQUESTS, other, 4 * MB + 1);
    account.release(MemoryUse.REQUESTS, one, 50 * MB);
    assertEquals(List.of("medium", "small"), served, "what comes back gathers for the first");
    account.release(MemoryUse.REQUESTS, one, 50 * MB);
    assertEquals(List.of("medium", "small", "huge", "large"), served);
  }

  @Test
  void thoseBehindAWaiterThatLeavesGoOn() {
    List<String> served = new ArrayList<>();
    assertTrue(take(one, 100 * MB));
    Object huge = account.await(MemoryUse.REQUESTS, other, 120 * MB, Rank.LARGE, () -> {});
    account.await(MemoryUse.REQUESTS, other, 5 * MB, Rank.LARGE, () -> served.add("large"));
    assertEquals(List.of(), served);
    assertTrue(account.leave(MemoryUse.REQUESTS, huge));
    assertEquals(List.of("large"), served);
    assertFalse(account.isContended(MemoryUse.REQUESTS));
  }

  @Test
  void anAddressWhoseWaiterGivesUpGoesBehindTheOthers() {
    List<String> served = new ArrayList<>();
    MemoryPeer third = peers.enter(InetAddress.getLoopbackAddress());
    assertTrue(take(third, 100 * MB));
    Object huge = account.await(MemoryUse.REQUESTS, one, 120 * MB, Rank.LARGE, () -> {});
    account.await(MemoryUse.REQUESTS, other, 5 * MB, Rank.LARGE, () -> served.add("other"));
    account.await(MemoryUse.REQUESTS, one, 120 * MB, Rank.LARGE, () -> served.add("next"));
    assertTrue(account.leave(MemoryUse.REQUESTS, huge));
    assertEquals(List.of("other"), served);
  }

  @Test
  void aWaiterMayLeave() {
    assertTrue(take(one, 128 * MB));
    Object waiter =
        account.await(
            MemoryUse.REQUESTS, one, MB, Rank.MEDIUM, () -> assertNull("a waiter that has left"));
    assertTrue(account.leave(MemoryUse.REQUESTS, waiter));
    assertFalse(account.leave(MemoryUse.REQUESTS, waiter));
    account.release(MemoryUse.REQUESTS, one, 128 * MB);
    assertEquals(0, account.used(MemoryUse.REQUESTS));
  }

  @Test
  void anAddressHasALimitOfConnectionsAndIsNotForgottenWhileItHoldsMemory() {
    InetAddress address = InetAddress.getLoopbackAddress();
    assertNotNull(peers.enter(address));
    assertNull(peers.enter(address));
    assertTrue(take(one, MB));
    peers.leave(address);
    peers.leave(address);
    assertEquals(one, peers.enter(address));
  }

  @Test
  void anAddressIsForgottenOnceItHasNoConnectionAndHoldsNothing() {
    InetAddress address = InetAddress.getLoopbackAddress();
    assertTrue(take(one, MB));
    account.force(MemoryUse.CONNECTIONS, one, MB);
    peers.leave(address);
    account.release(MemoryUse.REQUESTS, one, MB);
    assertSame(one, peers.enter(address), "it holds a part");
    peers.leave(address);
    account.release(MemoryUse.CONNECTIONS, one, MB);
    MemoryPeer again = peers.enter(address);
    assertNotSame(one, again, "it is another by then");
    assertTrue(account.tryReserve(MemoryUse.REQUESTS, again, MB, Rank.SMALL));
    account.release(MemoryUse.REQUESTS, again, MB);
    assertSame(again, peers.enter(address), "it is connected");
  }

  @Test
  void aCallGivesBackWhatItHolds() throws Exception {
    CallMemory memory = new CallMemory(account, one);
    memory.require(MemoryUse.MESSAGES, 10 * MB, "a message");
    memory.require(MemoryUse.REPLIES, MB, "a reply");
    assertThrows(RowTooBigException.class, () -> memory.require(MemoryUse.REPLIES, LIMIT, "a row"));
    assertTrue(take(one, 120 * MB));
    assertThrows(
        CallQueueTooBigException.class, () -> memory.require(MemoryUse.REPLIES, 60 * MB, "a row"));
    assertEquals(2, account.refusedCount());
    assertEquals(MB, memory.take(MemoryUse.REPLIES));
    memory.close();
    memory.close();
    assertFalse(memory.tryReserve(MemoryUse.REPLIES, 1), "the call is over");
    assertEquals(0, account.used(MemoryUse.MESSAGES));
    assertEquals(MB, account.used(MemoryUse.REPLIES), "gone with the reply");
  }

  @Test
  void aBufferThatMustGrowIsCountedOnceAndWhateverTheLimit() {
    CallMemory memory = new CallMemory(account, one);
    assertTrue(memory.tryReserve(MemoryUse.REPLIES, 10 * MB));
    memory.forceUpTo(MemoryUse.REPLIES, 4 * MB);
    assertEquals(10 * MB, account.used(MemoryUse.REPLIES), "it is held already");
    memory.forceUpTo(MemoryUse.REPLIES, 2 * LIMIT);
    memory.forceUpTo(MemoryUse.REPLIES, 2 * LIMIT);
    assertEquals(2 * LIMIT, memory.held(MemoryUse.REPLIES));
    assertEquals(2 * LIMIT, account.used(MemoryUse.REPLIES));
    memory.close();
    memory.forceUpTo(MemoryUse.REPLIES, MB);
    assertEquals(0, account.used(MemoryUse.REPLIES));
  }

  /** A refusal takes of the pool for a moment; what came in that moment is not forgotten. */
  @Test
  void aRefusalOfAnotherAddressLeavesNoWaiterBehind() throws InterruptedException {
    assertTrue(take(one, LIMIT / 2)); // every further one is refused
    long rest = Rank.MEDIUM.share(LIMIT) - LIMIT / 2;
    AtomicBoolean done = new AtomicBoolean();
    Thread refused =
        new Thread(
            () -> {
              while (!done.get()) {
                assertFalse(account.tryReserve(MemoryUse.REQUESTS, one, MB, Rank.MEDIUM));
              }
            });
    refused.start();
    try {
      for (int round = 0; round < 50_000; round++) {
        // forced, since a reservation may meet the other's moment
        account.force(MemoryUse.REQUESTS, other, rest);
        CountDownLatch granted = new CountDownLatch(1);
        account.await(MemoryUse.REQUESTS, other, rest, Rank.MEDIUM, granted::countDown);
        account.release(MemoryUse.REQUESTS, other, rest);
        assertTrue(granted.await(20, TimeUnit.SECONDS), "round " + round);
        account.release(MemoryUse.REQUESTS, other, rest);
      }
    } finally {
      done.set(true);
      refused.join();
    }
  }

  @Test
  void threadsLeaveNothingBehind() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    AtomicLong granted = new AtomicLong();
    AtomicLong asked = new AtomicLong();
    for (int i = 0; i < 4; i++) {
      MemoryPeer peer = i % 2 == 0 ? one : other;
      Thread thread =
          new Thread(
              () -> {
                for (int round = 1; round <= 3_000; round++) {
                  long bytes = (round * 7919L) % (40 * MB) + 1;
                  if (take(peer, bytes)) {
                    account.release(MemoryUse.REQUESTS, peer, bytes);
                  }
                  asked.incrementAndGet();
                  account.await(
                      MemoryUse.REQUESTS,
                      peer,
                      bytes,
                      Rank.of(bytes),
                      () -> {
                        granted.incrementAndGet();
                        account.release(MemoryUse.REQUESTS, peer, bytes);
                      });
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(asked.get(), granted.get());
    assertEquals(0, account.used(MemoryUse.REQUESTS));
    assertEquals(0, account.pool(MemoryPool.Kind.DIRECT).used());
    assertEquals(0, one.used(MemoryPool.Kind.DIRECT));
  }
}
