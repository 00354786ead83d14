package org.grampus.server.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.grampus.server.rpc.Call;
import org.junit.jupiter.api.Test;

/** When a small request takes memory: before its run, or when it leaves its event loop. */
class SmallRequestsTest extends HostileTest {
  /** Sees what is taken while it runs. */
  private final class Observed extends OneMethodService {
    final List<Long> taken = new CopyOnWriteArrayList<>();
    Runnable meanwhile = () -> {};
    boolean isRefusableAfterTry = true;
    boolean blocks;
    int priority;

    Observed() {
      super("ClientService", MultiRequest.getDefaultInstance());
    }

    @Override
    public int priority(Call call) {
      return priority;
    }

    @Override
    public boolean isRefusableAfterTry() {
      return isRefusableAfterTry;
    }

    @Override
    public boolean run(Call call, boolean mayBlock) {
      taken.add(account.used(MemoryUse.MESSAGES) + account.used(MemoryUse.REQUESTS));
      if (blocks && !mayBlock) {
        meanwhile.run();
        return false;
      }
      call.reply(MultiResponse.getDefaultInstance());
      return true;
    }
  }

  /** A request of less than 2 KiB whose bound is above {@link Rank#SMALL_BYTES}. */
  private static final int MANY_ACTIONS = 250;

  private final Observed method = new Observed();

  private ResponseHeader answer(byte[] cells) throws IOException {
    return answer(1, cells);
  }

  private ResponseHeader answer(int actions, byte[] cells) throws IOException {
    EmbeddedChannel channel = connect(new EmbeddedChannel(), good, null, method);
    send(channel, withLength(frame(emptyActions(actions), cells)));
    ResponseHeader reply = reply(channel);
    close(channel);
    return reply;
  }

  private ResponseHeader answer() throws IOException {
    return answer(new byte[0]);
  }

  private void assertRefused() throws IOException {
    long refused = account.refusedCount();
    ExceptionResponse error = answer().getException();
    assertEquals(CallQueueTooBigException.class.getName(), error.getExceptionClassName());
    assertFalse(error.getStackTrace().contains("\tat "), "a long reply while memory is short");
    assertEquals(refused + 1, account.refusedCount());
  }

  /** Takes what ordinary calls can have of a pool. */
  private void fill(MemoryUse use) {
    account.force(use, mallory, ordinary(use));
  }

  private void empty(MemoryUse use) {
    account.release(use, mallory, ordinary(use));
  }

  private long ordinary(MemoryUse use) {
    return account.pool(use).limit() / 16 * 15;
  }

  @Test
  void oneThatEndsOnItsEventLoopTakesNone() throws IOException {
    assertFalse(answer().hasException());
    assertEquals(List.of(0L), method.taken);
  }

  @Test
  void oneThatLeavesItsEventLoopTakesIt() throws IOException {
    method.blocks = true;
    assertFalse(answer().hasException());
    assertEquals(2, method.taken.size());
    assertEquals(0, method.taken.get(0));
    assertTrue(method.taken.get(1) > 0, method.taken.toString());
  }

  @Test
  void aCellBlockIsTakenAsItIs() throws IOException {
    int bytes = 50_000;
    method.blocks = true;
    assertFalse(answer(new byte[bytes]).hasException());
    assertTrue(method.taken.get(0) > bytes, method.taken.toString());
    long message = method.taken.get(1) - method.taken.get(0);
    assertTrue(message > 0 && message < 8L * bytes, method.taken.toString());
  }

  @Test
  void anyOtherTakesItBeforeItRuns() throws IOException {
    method.isRefusableAfterTry = false;
    assertFalse(answer().hasException());
    assertTrue(method.taken.get(0) > 0, method.taken.toString());
  }

  @Test
  void aLargeOneTakesItBeforeItRuns() throws IOException {
    EmbeddedChannel channel = connect(new EmbeddedChannel(), good, null, method);
    send(channel, withLength(frame(emptyActions(2048), new byte[0])));
    assertFalse(reply(channel).hasException());
    close(channel);
    assertTrue(method.taken.get(0) > 0, method.taken.toString());
  }

  @Test
  void whenMemoryRunsOutMeanwhileItIsRefusedWhereItWouldLeave() throws IOException {
    method.blocks = true;
    method.meanwhile = () -> fill(MemoryUse.MESSAGES);
    try {
      assertRefused();
      assertEquals(1, method.taken.size(), "it did not run again");
    } finally {
      empty(MemoryUse.MESSAGES);
    }
  }

  @Test
  void whenMemoryRunsOutMeanwhileOneOfASystemTableGoesOn() throws IOException {
    method.blocks = true;
    method.priority = 100;
    method.meanwhile = () -> fill(MemoryUse.MESSAGES);
    try {
      assertFalse(answer().hasException());
      assertEquals(2, method.taken.size());
    } finally {
      empty(MemoryUse.MESSAGES);
    }
  }

  /** Its bound is of rank MEDIUM and does not fit; what its bytes come to is of rank SMALL. */
  @Test
  void oneWhoseBoundDoesNotFitTakesWhatItsBytesComeTo() throws IOException {
    long limit = account.pool(MemoryUse.MESSAGES).limit();
    assertGoesOnBeside(limit / 16 * 12 - Rank.SMALL_BYTES, mallory);
    assertGoesOnBeside(limit / 2 - Rank.SMALL_BYTES, good);
  }

  private void assertGoesOnBeside(long taken, MemoryPeer peer) throws IOException {
    method.taken.clear();
    method.blocks = true;
    account.force(MemoryUse.MESSAGES, peer, taken);
    try {
      assertFalse(answer(MANY_ACTIONS, new byte[0]).hasException());
      assertEquals(taken, method.taken.get(0));
      long message = method.taken.get(1) - taken;
      assertTrue(message > 0 && message < Rank.SMALL_BYTES, method.taken.toString());
    } finally {
      account.release(MemoryUse.MESSAGES, peer, taken);
    }
  }

  @Test
  void withoutHeapItIsRefusedBeforeItRuns() throws IOException {
    assertRefusedBeforeItRunsWithout(MemoryUse.MESSAGES);
  }

  @Test
  void withoutDirectMemoryItIsRefusedBeforeItRuns() throws IOException {
    assertRefusedBeforeItRunsWithout(MemoryUse.REPLIES); // of the same pool as frames
  }

  @Test
  void anAddressThatHasItsHalfIsRefusedBeforeItRuns() throws IOException {
    long half = account.pool(MemoryUse.MESSAGES).limit() / 2;
    account.force(MemoryUse.MESSAGES, good, half);
    try {
      assertRefused();
      assertEquals(List.of(), method.taken);
    } finally {
      account.release(MemoryUse.MESSAGES, good, half);
    }
  }

  private void assertRefusedBeforeItRunsWithout(MemoryUse use) throws IOException {
    fill(use);
    try {
      assertRefused();
      assertEquals(List.of(), method.taken);
    } finally {
      empty(use);
    }
  }
}
