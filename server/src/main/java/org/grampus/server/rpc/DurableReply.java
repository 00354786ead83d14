package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * A reply that leaves when it is ready and every write of its call is durable. Writes are expected
 * by the thread that runs the call; they arrive on the event loop.
 */
public class DurableReply implements Completion {
  private final Call call;
  private final AtomicInteger outstanding = new AtomicInteger(1); // the reply itself
  private volatile Throwable failure;
  private Message message;
  private ByteBuf cells;
  private volatile WriteFence fence = WriteFence.NONE;

  /** A reply to this call. */
  public DurableReply(Call call) {
    this.call = call;
  }

  /** The call that this replies to. */
  public Call call() {
    return call;
  }

  /**
   * A write is about to begin: it may only while this is open, and its reply is sent only then.
   *
   * @throws NotServingRegionException when it is not
   */
  public void fence(WriteFence writes) throws NotServingRegionException {
    fence = writes;
    if (!writes.isOpen()) {
      throw outOfTouch("");
    }
  }

  private static NotServingRegionException outOfTouch(String more) {
    return new NotServingRegionException(
        "This server has lost touch with ZooKeeper, and its regions may be elsewhere by now"
            + more);
  }

  /** One write more, before it starts. */
  public void expect() {
    outstanding.incrementAndGet();
  }

  /** One write less: it did not happen, or needs no waiting. Not after {@link #ready}. */
  public void unexpect() {
    outstanding.decrementAndGet();
  }

  /** The reply is ready; takes over its cells, which may be null. */
  public void ready(Message reply, ByteBuf cellBlock) {
    message = reply;
    try {
      cells = call.compress(cellBlock);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      failure = e;
    }
    arrive();
  }

  @Override
  public EventLoop loop() {
    return call.connection().loop();
  }

  @Override
  public void durable() {
    arrive();
  }

  @Override
  public void lost(Throwable error) {
    failure = error;
    arrive();
  }

  /** The reply is on its way, and every write durable. On the thread that found the last of it. */
  protected void sent() {}

  private void arrive() {
    if (outstanding.decrementAndGet() != 0) {
      return;
    }
    if (failure == null && fence.isOpen()) {
      call.reply(message, cells);
      sent();
      return;
    }
    if (cells != null) {
      cells.release();
    }
    call.fail(error());
  }

  /** An IOException is an answer, such as that there is no memory, and not the server's failure. */
  private IOException error() {
    if (failure == null) {
      return outOfTouch("; whether the write is kept is not known");
    }
    return failure instanceof IOException answer ? answer : CallErrors.replyFor(failure, call);
  }
}
