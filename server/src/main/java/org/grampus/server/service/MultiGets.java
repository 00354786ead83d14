package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.compat.read.ReadFlags;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.server.env.Env;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.rpc.Call;

/** The gets of one Multi. One thread at a time. */
final class MultiGets {
  /**
   * How long gets may take on an event loop, whose other connections wait, before a pool goes on.
   */
  private static final long TURN_NANOS = 1_000_000;

  private final Call call;
  private final MultiResults taken;
  private final ActionErrors errors;
  private final Operations operations;
  private long turnEnd;

  /**
   * The answer to a get that waited in vain for memory for a large cell. Each further one could
   * hold the handler for two seconds, so those that would wait get this answer, too.
   */
  private IOException busy;

  private TimeoutIOException abandoned;

  MultiGets(Call call, MultiResults taken, ActionErrors errors, Operations operations) {
    this.call = call;
    this.taken = taken;
    this.errors = errors;
    this.operations = operations;
  }

  /** A thread begins, or goes on. */
  void startTurn() {
    turnEnd = Env.nanos() + TURN_NANOS;
  }

  /**
   * Runs one get and sets its answer.
   *
   * @param position of the get among the actions on its region
   * @return false when it must be run where it may block
   */
  boolean run(Get get, int position, OnlineRegion region, ActionResults answers, boolean mayBlock) {
    long startNanos = Env.nanos();
    long scannedBefore = call.scannedBytes();
    if (!mayBlock && startNanos - turnEnd > 0) {
      return false;
    }
    if (taken.refuses(position)) {
      answers.error(position, errors.of(taken.tooLarge()));
      return true;
    }
    if (call.isAbandoned()) {
      answers.error(position, errors.of(abandoned()));
      return true;
    }
    try {
      Result result = read(get, region, mayBlock && busy == null);
      if (result == null && busy == null) {
        return false;
      } else if (result == null) {
        answers.error(position, errors.of(busy));
      } else {
        answers.result(position, result);
      }
    } catch (IOException | EngineException e) {
      IOException adapted = ErrorAdapter.adapt(e);
      operations.failed(adapted);
      answers.error(position, errors.of(adapted));
      if (mayBlock && e instanceof EngineException engine && engine.kind() == ErrorKind.BUSY) {
        busy = adapted;
      }
    }
    taken.limit(position + 1);
    operations.got(region, Env.nanos() - startNanos, call.scannedBytes() - scannedBefore);
    return true;
  }

  private TimeoutIOException abandoned() {
    if (abandoned == null) {
      abandoned = new TimeoutIOException("Client deadline exceeded or connection closed");
    }
    return abandoned;
  }

  /** The result, or null when the read would block. */
  private Result read(Get get, OnlineRegion region, boolean mayBlock) throws IOException {
    EngineScratch scratch = EngineScratch.get();
    ByteBuf spec = scratch.spec();
    RegionReads.write(get, region, mayBlock, spec);
    if (call.clientReadsTags()) {
      ReadFlags.addTags(spec);
    }
    ByteBuf block = taken.block();
    int start = block.writerIndex();
    int count = RowReader.get(region, spec, block, call);
    if (count == RowReader.WOULD_BLOCK) {
      return null;
    }
    taken.add(block.writerIndex() - start);
    if (get.getExistenceOnly()) {
      return Results.exists(count > 0);
    }
    if (call.clientReadsCellBlocks()) {
      return Results.counted(count);
    }
    try {
      return Results.inline(block, start, count, scratch.cursor(), call.memory());
    } finally {
      block.writerIndex(start); // also without memory for them: the client reads no cell block
    }
  }
}
