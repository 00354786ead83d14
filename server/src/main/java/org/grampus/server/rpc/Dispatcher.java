package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetAddress;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryUse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a request's frame to its method: decodes on the event loop, or on a pool what is large,
 * refuses what exceeds a limit, and runs the call on the handlers of its method. One refused or
 * failed call does not touch its neighbours. What takes long runs on a pool of low priority:
 * decoding and expanding what is large, and reads of clients whose calls were long lately ({@link
 * ClientWork}). Calls of the priority pool never run there; a large one on a system table is
 * decoded there, when neither its service nor its header says what it is.
 */
public final class Dispatcher implements AutoCloseable {
  /** Deadline of a call whose client did not say how long it waits. */
  static final long NO_DEADLINE = Long.MIN_VALUE;

  /** Priorities above this go to the priority pool, as in HBase. */
  static final int PRIORITY_THRESHOLD = 10;

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  private final MemoryAccount account;
  private final RequestDecoder decoder;
  private final int maxRequestBytes;
  private final CallLimits limits;
  private final HandlerPool general;
  private final HandlerPool heavy;
  private final HandlerPool priority;
  private final ClientWork.Addresses addresses;
  private final DelayedCalls delayed;
  private volatile boolean closed;

  /** Pools and limits as configured. */
  public Dispatcher(RpcServerConfig config) {
    this(config, System::nanoTime);
  }

  /**
   * Pools and limits as configured.
   *
   * @param nanoClock the time in which records of clients' work shrink
   */
  public Dispatcher(RpcServerConfig config, LongSupplier nanoClock) {
    this.addresses = new ClientWork.Addresses(nanoClock);
    this.account = config.memory().account();
    this.decoder = new RequestDecoder(config, account);
    this.maxRequestBytes =
        (int) Math.min(config.maxRequestBytes(), account.pool(MemoryUse.REQUESTS).largest());
    this.limits = new CallLimits(config.callQueueBytes());
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
  public void start() {
    general.start();
    heavy.start();
    priority.start();
  }

  /** The largest request: as configured, or as memory allows. */
  public int maxRequestBytes() {
    return maxRequestBytes;
  }

  /** The account of what requests and replies take. */
  public MemoryAccount account() {
    return account;
  }

  /** Begins the record of a new connection's work; the address may be null. */
  public ClientWork begin(InetAddress address) {
    return addresses.connect(address);
  }

  /**
   * Reads the header of a request that is not run.
   *
   * @throws IOException when there is none
   */
  public RequestHeader readHeader(ByteBuf frame) throws IOException {
    return RequestDecoder.header(frame);
  }

  /**
   * Refuses a request whose message is longer than the heap pool allows, from the first bytes of
   * its frame: what follows could not change the answer. On the connection's event loop.
   *
   * @param beginning the frame's first bytes, from the header on; its indices are kept
   * @return true when the refusal was sent; the caller then skips the rest of the frame
   */
  public boolean refuseIfTooLong(Connection connection, ByteBuf beginning) {
    if (connection.profile() == null) {
      return false;
    }
    try {
      ByteBuf read = beginning.duplicate();
      RequestHeader header = RequestDecoder.header(read);
      IOException refusal = decoder.tooLongRefusal(connection, read);
      if (refusal == null) {
        return false;
      }
      account.refused();
      CallErrors.refuse(connection, header, refusal, CallErrors.unreadable(connection, refusal));
      return true;
    } catch (IOException e) {
      // reading the whole frame gives the client the reason
      LOG.debug("a request of {} is read as a whole", connection, e);
      return false;
    }
  }

  /**
   * Takes one request, on the connection's event loop, and takes over its frame.
   *
   * @param reserved bytes of {@link MemoryUse#REQUESTS} that are reserved for it and go over as
   *     well
   * @throws IOException when the header cannot be read, which ends the connection
   */
  public void dispatch(Connection connection, ByteBuf frame, long reserved) throws IOException {
    long receivedNanos = System.nanoTime();
    CallMemory memory = new CallMemory(account, connection.memoryPeer());
    memory.adopt(MemoryUse.REQUESTS, reserved);
    boolean accepted = false;
    try {
      int frameBytes = frame.readableBytes();
      RequestHeader header = RequestDecoder.header(frame);
      if (reserved == 0 && !RequestDecoder.reserve(memory, MemoryUse.REQUESTS, frameBytes)) {
        account.refused();
        CallErrors.refuse(
            connection, header, new CallQueueTooBigException("No memory for the call now"));
        return;
      }
      if (!limits.enter(frameBytes)) {
        CallErrors.refuse(
            connection,
            header,
            new CallQueueTooBigException(
                "Call queue is full, is hbase.ipc.server.max.callqueue.size too small?"));
        return;
      }
      accepted = true;
      accept(new Arrival(connection, header, frame, frameBytes, memory, receivedNanos));
    } finally {
      if (!accepted) {
        memory.close();
        frame.release();
      }
    }
  }

  private void accept(Arrival arrival) throws IOException {
    boolean large;
    try {
      large = RequestDecoder.isLarge(arrival.frame());
    } catch (IOException e) {
      refuse(arrival, e);
      return;
    }
    if (!large) {
      Call call = decode(arrival);
      if (call != null) {
        guarded(call, this::begin);
      }
      return;
    }
    HandlerPool pool = isPriority(arrival) ? priority : heavy;
    if (!pool.offer(new LargeArrival(arrival, pool))) {
      refuse(arrival, CallErrors.queueFull());
    }
  }

  /** Whether a request is one for the priority pool by what is known before it is decoded. */
  private static boolean isPriority(Arrival arrival) {
    return arrival.connection().service().isSystem()
        || arrival.header().getPriority() > PRIORITY_THRESHOLD;
  }

  /** A request that is decoded where it may take its time. */
  private final class LargeArrival extends ClientTask {
    private final Arrival arrival;
    private final HandlerPool pool;

    /**
     * A request on its way.
     *
     * @param pool the one that decodes it
     */
    LargeArrival(Arrival arrival, HandlerPool pool) {
      super(arrival.connection());
      this.arrival = arrival;
      this.pool = pool;
    }

    @Override
    public void run() {
      Call call = decode(arrival);
      if (call != null) {
        guarded(call, this::runOrHandOn);
      }
    }

    /** Only the decoded call says which table it is for. */
    private void runOrHandOn(Call call) {
      if (isRefused(call)) {
        return;
      }
      call.memory().system(isSystem(call));
      if (pool == priority) {
        new PooledCall(call).run();
      } else if (isPriority(call)) {
        offer(priority, new PooledCall(call));
      } else {
        new ExpandThenRoute(call).run();
      }
    }

    @Override
    public void abandon() {
      refuse(arrival, CallErrors.stopping());
    }
  }

  /** The call, or null when it has been refused; the frame is released. */
  private Call decode(Arrival arrival) {
    Call call = null;
    try {
      call = decoder.decode(arrival, limits);
      arrival.frame().release();
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      LOG.debug(
          "unreadable call {} from {}", arrival.header().getMethodName(), arrival.connection(), e);
      refuse(arrival, e);
    } catch (Throwable t) {
      // A stack that overflows, a class that is missing: the call's own error, not the event loop's
      LOG.error(
          "cannot read call {} from {}", arrival.header().getMethodName(), arrival.connection(), t);
      refuse(arrival, t instanceof LinkageError ? new DoNotRetryIOException(t) : t);
    }
    return call;
  }

  /** Fails a call that was decoded with what is kept for system tables, and is for none. */
  private boolean isRefused(Call call) {
    if (!call.memory().tookFromReserve() || isSystem(call)) {
      return false;
    }
    account.refused();
    call.fail(new CallQueueTooBigException("No memory for the call now"));
    return true;
  }

  private void refuse(Arrival arrival, Throwable error) {
    arrival.frame().release();
    arrival.memory().close();
    limits.leave(arrival.frameBytes());
    CallErrors.refuse(
        arrival.connection(),
        arrival.header(),
        error,
        error instanceof CallQueueTooBigException
            ? error.toString()
            : CallErrors.unreadable(arrival.connection(), error));
  }

  /**
   * Takes a call on its way; what fails there is its reply, so that it gives back what it holds.
   */
  private static void guarded(Call call, Consumer<Call> way) {
    try {
      way.accept(call);
    } catch (Throwable t) {
      call.fail(CallErrors.replyFor(t, call));
    }
  }

  private void begin(Call call) {
    if (!isRefused(call)) {
      route(call);
    }
  }

  private void route(Call call) {
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
    call.memory().system(isSystem(call));
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
  private static boolean isSystem(Call call) {
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
      if (!Dispatcher.run(call, true) && !letWait(call)) {
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
    try {
      return call.method().run(call, mayBlock);
    } catch (TimeoutIOException e) {
      LOG.debug("{} of {} ran out of time", call.method().name(), call.connection(), e);
      call.drop();
    } catch (IOException e) {
      call.fail(e);
    } catch (Throwable t) {
      call.fail(CallErrors.replyFor(t, call));
    }
    return true;
  }

  /** Bytes of the requests in flight. */
  public long bytesInFlight() {
    return limits.bytes();
  }

  /** Calls that wait for the general pool, or for the one of heavy calls. */
  public int queuedCalls() {
    return general.queued() + heavy.queued();
  }

  /** Calls that wait for the priority pool. */
  public int queuedPriorityCalls() {
    return priority.queued();
  }

  /** Calls that wait for a time, without a handler. */
  public int delayedCalls() {
    return delayed.count();
  }

  /** Handlers of all pools that run a call. */
  public int activeHandlers() {
    return general.active() + heavy.active() + priority.active();
  }

  /** Refuses new calls, gives up those that wait, and lets those that run finish. */
  @Override
  public void close() {
    closed = true;
    delayed.close();
    heavy.close(); // first: it hands on to the others
    general.close();
    priority.close();
  }
}
