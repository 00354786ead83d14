package org.grampus.server.rpc;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a decoded call to its method, on the handlers of the method. What takes long runs on a pool
 * of low priority: expanding what is large, and reads of clients whose calls were long lately
 * ({@link ClientWork}). Calls of the priority pool never run there. Any thread.
 */
final class CallRouter implements AutoCloseable {
  /** Priorities above this go to the priority pool, as in HBase. */
  static final int PRIORITY_THRESHOLD = 10;

  private static final Logger LOG = LoggerFactory.getLogger(CallRouter.class);

  private final HandlerPool general;
  private final HandlerPool heavy;
  private final HandlerPool priority;
  private final DelayedCalls delayed;
  private volatile boolean closed;

  /** Pools as configured. */
  CallRouter(RpcServerConfig config) {
    this.general = new HandlerPool("rpc-handler", config.handlers(), config.callQueueLength());
    this.heavy =
        new HandlerPool(
            "rpc-heavy", config.handlers(), config.callQueueLength(), LowPriority::take);
    this.priority =
        new HandlerPool(
            "rpc-priority-handler", config.priorityHandlers(), config.priorityCallQueueLength());
    this.delayed = new DelayedCalls(config.callQueueLength(), this::resume);
  }

  /** Starts the pools. */
  void start() {
    general.start();
    heavy.start();
    priority.start();
  }

  /**
   * Takes a call on its way; what fails there is its reply, so that it gives back what it holds.
   */
  static void guarded(Call call, Consumer<Call> way) {
    try {
      way.accept(call);
    } catch (Throwable t) {
      call.fail(CallErrors.replyFor(t, call));
    }
  }

  /**
   * Queues the decoding of a large request.
   *
   * @param onPriority on the priority pool, else on the one of low priority
   * @return false when the queue is full
   */
  boolean offerLarge(ClientTask decoding, boolean onPriority) {
    return (onPriority ? priority : heavy).offer(decoding);
  }

  /**
   * Takes a call that a pool has decoded. Only now it is known which table it is for.
   *
   * @param onPriority whether the calling thread is of the priority pool
   */
  void goOn(Call call, boolean onPriority) {
    call.memory().system(isSystem(call));
    if (onPriority) {
      new PooledCall(call).run();
    } else if (isPriority(call)) {
      offer(priority, new PooledCall(call));
    } else {
      new ExpandThenRoute(call).run();
    }
  }

  /** Takes a call on the event loop of its connection. */
  void route(Call call) {
    if (closed) {
      call.giveUp(CallErrors.stopping());
      return;
    }
    Handlers handlers = call.method().handlers(call);
    if (handlers == Handlers.EVENT_LOOP && expand(call, false) && run(call, false)) {
      return;
    }
    if (call.isDone() || letWait(call)) {
      return;
    }
    call.memory().system(isSystem(call)); // first: it decides on the rank
    if (RequestMemory.reserveOnLeaving(call)) {
      handOn(call);
    } else {
      CallErrors.refuseForMemory(call);
    }
  }

  /** Gives a call that leaves its event loop to a pool. */
  private void handOn(Call call) {
    if (isPriority(call)) {
      offer(priority, new PooledCall(call));
    } else if (!call.cellsAreExpanded()) {
      offer(heavy, new ExpandThenRoute(call));
    } else {
      offer(isHeavy(call) ? heavy : general, new PooledCall(call));
    }
  }

  private static void offer(HandlerPool pool, PooledCall task) {
    if (!pool.offer(task)) {
      task.call.giveUp(CallErrors.queueFull());
    }
  }

  private static boolean isHeavy(Call call) {
    return call.connection().work().isHeavy() && call.method().mayGiveWay(call);
  }

  /** Whether the call itself, whatever its header says, is one that no load may keep out. */
  static boolean isSystem(Call call) {
    return call.method().handlers(call) == Handlers.PRIORITY
        || call.method().priority(call) > PRIORITY_THRESHOLD;
  }

  /** Expands the call's cells; false when a pool must do it, or when they have failed the call. */
  private static boolean expand(Call call, boolean mayBlock) {
    try {
      return call.expandCells(mayBlock);
    } catch (IOException | RuntimeException e) {
      IOException shown = e instanceof IOException io ? io : new IOException(e);
      call.fail(shown, CallErrors.unreadable(call.connection(), e));
      return false;
    } catch (Throwable t) {
      // Netty's want of direct memory is an Error; the call must give back what it holds
      call.fail(CallErrors.replyFor(t, call), CallErrors.unreadable(call.connection(), t));
      return false;
    }
  }

  /** Runs a call on that has waited. */
  private void resume(Call call) {
    if (call.isAbandoned()) {
      call.drop();
    } else {
      guarded(call, this::route);
    }
  }

  /** Whether the call's last run asked for a delay; the call is taken care of then. */
  private boolean letWait(Call call) {
    long nanos = call.takeDelay();
    if (nanos == 0) {
      return false;
    }
    if (!delayed.add(call, nanos)) {
      call.giveUp(CallErrors.queueFull());
    }
    return true;
  }

  /** Whether a call runs on the priority pool, whatever it takes: nothing of it gives way. */
  private static boolean isPriority(Call call) {
    int level =
        call.header().hasPriority() ? call.header().getPriority() : call.method().priority(call);
    return call.method().handlers(call) == Handlers.PRIORITY || level > PRIORITY_THRESHOLD;
  }

  /**
   * Expands the cells on the heavy pool; reads go on there, writes move to the general pool. Not
   * for calls of the priority pool, which expands them itself.
   */
  private final class ExpandThenRoute extends PooledCall {
    private ExpandThenRoute(Call call) {
      super(call);
    }

    @Override
    void runExpanded() {
      if (call.method().mayGiveWay(call)) {
        super.runExpanded();
      } else {
        offer(general, new PooledCall(call));
      }
    }
  }

  /** A call on its way to a pool. */
  private class PooledCall extends ClientTask {
    final Call call;

    private PooledCall(Call call) {
      super(call.connection());
      this.call = call;
    }

    @Override
    public void run() {
      if (call.isAbandoned()) {
        call.drop(); // the client has stopped waiting; HBase stays silent too
      } else if (expand(call, true)) {
        runExpanded();
      }
    }

    void runExpanded() {
      RunningCall.during(call, this::runCall);
    }

    private void runCall() {
      if (!CallRouter.run(call, true) && !letWait(call)) {
        call.fail(new IllegalStateException(call.method().name() + " would not run where it may"));
      }
    }

    @Override
    public void abandon() {
      call.giveUp(CallErrors.stopping());
    }
  }

  /** Runs a call; what it throws is its reply. */
  private static boolean run(Call call, boolean mayBlock) {
    call.started();
    try {
      if (call.method().run(call, mayBlock)) {
        return true;
      }
      call.waits();
      return false;
    } catch (TimeoutIOException e) {
      LOG.debug("{} of {} ran out of time", call.method().name(), call.connection(), e);
      call.drop();
    } catch (IOException e) {
      call.fail(e);
    } catch (Throwable t) {
      call.fail(CallErrors.replyFor(t, call));
    } finally {
      call.method().ended();
    }
    return true;
  }

  /** Calls that wait for the general pool, or for the one of heavy calls. */
  int queued() {
    return general.queued() + heavy.queued();
  }

  /** Calls that wait for the priority pool. */
  int queuedPriority() {
    return priority.queued();
  }

  /** Calls that wait for a time, without a handler. */
  int delayed() {
    return delayed.count();
  }

  /** Handlers of all pools that run a call. */
  int active() {
    return general.active() + heavy.active() + priority.active();
  }

  /** Handlers of the priority pool that run a call. */
  int activePriority() {
    return priority.active();
  }

  /** Gives up the calls that wait, and lets those that run finish. */
  @Override
  public void close() {
    closed = true;
    delayed.close();
    heavy.close(); // first: it hands on to the others
    general.close();
    priority.close();
  }
}
