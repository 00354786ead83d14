package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.grampus.server.env.Env;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryUse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a request's frame to its call: decodes on the event loop, or on a pool what is large,
 * refuses what exceeds a limit, and gives the call to the {@link CallRouter}. One refused or failed
 * call does not touch its neighbours. A large request is decoded at low priority, one on a system
 * table too, when neither its service nor its header says what it is.
 */
public final class Dispatcher implements AutoCloseable {
  /** Deadline of a call whose client did not say how long it waits. */
  static final long NO_DEADLINE = Long.MIN_VALUE;

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  private final MemoryAccount account;
  private final RequestMemory requests;
  private final RequestDecoder decoder;
  private final int maxRequestBytes;
  private final CallLimits limits;
  private final CallRouter router;
  private final ClientWork.Addresses addresses;
  private final CallObserver observer;

  /** Pools and limits as configured. */
  public Dispatcher(RpcServerConfig config) {
    this(config, Env::nanos, List.of());
  }

  /**
   * Pools and limits as configured.
   *
   * @param nanoClock the time in which records of clients' work shrink
   * @param observers are told of connections and of the ends of calls; nothing that they throw
   *     reaches a call
   */
  public Dispatcher(RpcServerConfig config, LongSupplier nanoClock, List<CallObserver> observers) {
    this.observer = new GuardedCallObserver(observers);
    this.addresses = new ClientWork.Addresses(nanoClock);
    this.account = config.memory().account();
    this.requests = new RequestMemory(account);
    this.decoder = new RequestDecoder(config, requests, this.observer);
    this.maxRequestBytes =
        (int) Math.min(config.maxRequestBytes(), account.pool(MemoryUse.REQUESTS).largest());
    this.limits = new CallLimits(config.callQueueBytes());
    this.router = new CallRouter(config);
  }

  /** Starts the pools. */
  public void start() {
    router.start();
  }

  /** The largest request: as configured, or as memory allows. */
  public int maxRequestBytes() {
    return maxRequestBytes;
  }

  /** The account of what requests and replies take. */
  public MemoryAccount account() {
    return account;
  }

  /** A connection's header was read. */
  public void connected() {
    observer.connected();
  }

  /** A request was refused before it came here. */
  public void refused(IOException error) {
    observer.refused(error);
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
      IOException refusal = requests.tooLongRefusal(connection, read);
      if (refusal == null) {
        return false;
      }
      account.refused();
      observer.refused(refusal);
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
   *     well; 0 for a frame that arrived in one read, for which nothing is
   * @throws IOException when the header cannot be read, which ends the connection
   */
  public void dispatch(Connection connection, ByteBuf frame, long reserved) throws IOException {
    long receivedNanos = Env.nanos();
    CallMemory memory = new CallMemory(account, connection.memoryPeer());
    if (reserved > 0) {
      memory.adopt(MemoryUse.REQUESTS, reserved);
    }
    boolean accepted = false;
    try {
      int frameBytes = frame.readableBytes();
      RequestHeader header = RequestDecoder.header(frame);
      if (reserved == 0 && !RequestMemory.reserveFrame(memory, header, frameBytes)) {
        account.refused();
        refuse(connection, header, CallErrors.noMemory());
        return;
      }
      if (!limits.enter(frameBytes)) {
        refuse(
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
        CallRouter.guarded(call, this::begin);
      }
      return;
    }
    boolean priority = isPriority(arrival);
    if (!router.offerLarge(new LargeArrival(arrival, priority), priority)) {
      refuse(arrival, CallErrors.queueFull());
    }
  }

  /** Whether a request is one for the priority pool by what is known before it is decoded. */
  private static boolean isPriority(Arrival arrival) {
    return arrival.connection().service().isSystem()
        || arrival.header().getPriority() > CallRouter.PRIORITY_THRESHOLD;
  }

  /** A request that is decoded where it may take its time. */
  private final class LargeArrival extends ClientTask {
    private final Arrival arrival;
    private final boolean priority;

    /**
     * A request on its way.
     *
     * @param priority whether the priority pool decodes it
     */
    LargeArrival(Arrival arrival, boolean priority) {
      super(arrival.connection());
      this.arrival = arrival;
      this.priority = priority;
    }

    @Override
    public void run() {
      Call call = decode(arrival);
      if (call != null) {
        CallRouter.guarded(call, this::runOrHandOn);
      }
    }

    private void runOrHandOn(Call call) {
      if (!refuseUnlessSystem(call)) {
        router.goOn(call, priority);
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

  /**
   * Refuses a call that was decoded with what is kept for system tables, and is for none. Returns
   * whether it did.
   */
  private boolean refuseUnlessSystem(Call call) {
    if (!call.memory().tookFromReserve() || CallRouter.isSystem(call)) {
      return false;
    }
    CallErrors.refuseForMemory(call);
    return true;
  }

  private void refuse(Connection connection, RequestHeader header, IOException error) {
    observer.refused(error);
    CallErrors.refuse(connection, header, error);
  }

  private void refuse(Arrival arrival, Throwable error) {
    arrival.frame().release();
    arrival.memory().close();
    limits.leave(arrival.frameBytes());
    observer.refused(error);
    CallErrors.refuse(
        arrival.connection(),
        arrival.header(),
        error,
        error instanceof CallQueueTooBigException
            ? error.toString()
            : CallErrors.unreadable(arrival.connection(), error));
  }

  private void begin(Call call) {
    if (!refuseUnlessSystem(call)) {
      router.route(call);
    }
  }

  /** Bytes of the requests in flight. */
  public long bytesInFlight() {
    return limits.bytes();
  }

  /** Calls that wait for the general pool, or for the one of heavy calls. */
  public int queuedCalls() {
    return router.queued();
  }

  /** Calls that wait for the priority pool. */
  public int queuedPriorityCalls() {
    return router.queuedPriority();
  }

  /** Calls that wait for a time, without a handler. */
  public int delayedCalls() {
    return router.delayed();
  }

  /** Handlers of all pools that run a call. */
  public int activeHandlers() {
    return router.active();
  }

  /** Handlers of the priority pool that run a call. */
  public int activePriorityHandlers() {
    return router.activePriority();
  }

  /** Refuses new calls, gives up those that wait, and lets those that run finish. */
  @Override
  public void close() {
    router.close();
  }
}
