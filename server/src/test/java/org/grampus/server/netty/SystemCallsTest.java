package org.grampus.server.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;
import org.grampus.server.rpc.RpcService;
import org.junit.jupiter.api.Test;

/** Calls of the system under a load that has all the memory. */
class SystemCallsTest extends HostileTest {
  @Test
  void noLoadKeepsASystemCallOut() throws IOException {
    CallHolder holder = new CallHolder(account, mallory, good);
    holder.takeAll(MemoryUse.REQUESTS);
    holder.takeAll(MemoryUse.MESSAGES);
    EmbeddedChannel ordinary = connect(good, null);
    send(ordinary, withLength(frame(emptyActions(1), new byte[100])));
    assertEquals(
        CallQueueTooBigException.class.getName(),
        reply(ordinary).getException().getExceptionClassName());
    assertEquals(0, service.calls);
    RpcService system =
        new RpcService() {
          @Override
          public String name() {
            return "ClientService";
          }

          @Override
          public RpcMethod method(String name) {
            return new SystemMethod();
          }
        };
    EmbeddedChannel channel = connect(new EmbeddedChannel(), good, null, system);
    send(channel, withLength(frame(emptyActions(1), new byte[0])));
    assertFalse(reply(channel).hasException());
    assertNull(channel.readOutbound());
    holder.giveBack();
    close(ordinary, channel);
  }

  private static final class SystemMethod implements RpcMethod {
    @Override
    public String name() {
      return "Multi";
    }

    @Override
    public Message prototype() {
      return MultiRequest.getDefaultInstance();
    }

    @Override
    public Handlers handlers(Call call) {
      return Handlers.PRIORITY;
    }

    @Override
    public boolean run(Call call, boolean mayBlock) {
      call.reply(MultiResponse.getDefaultInstance());
      return true;
    }
  }

  /** Ordinary load that has all that ordinary load can have. */
  private record CallHolder(MemoryAccount account, long[] taken, MemoryPeer[] from) {
    CallHolder(MemoryAccount account, MemoryPeer... from) {
      this(account, new long[2 * MemoryUse.values().length], from);
    }

    void takeAll(MemoryUse use) {
      for (int i = 0; i < from.length; i++) {
        for (long step = Rank.SMALL_BYTES; step > 0; step /= 2) {
          while (account.tryReserve(use, from[i], step, Rank.SMALL)) {
            taken[i] += step;
            if (use == MemoryUse.MESSAGES) {
              taken[i] -= step;
              taken[i + from.length] += step;
            }
          }
        }
      }
    }

    void giveBack() {
      for (int i = 0; i < from.length; i++) {
        account.release(MemoryUse.REQUESTS, from[i], taken[i]);
        account.release(MemoryUse.MESSAGES, from[i], taken[i + from.length]);
      }
    }
  }
}
