package org.grampus.server.rpc;

import java.util.List;
import java.util.function.Consumer;
import org.grampus.server.env.ThrottledErrorLog;
import org.slf4j.LoggerFactory;

/**
 * Tells several observers, and keeps what one throws from the others and from the call; says so
 * once a minute.
 */
final class GuardedCallObserver implements CallObserver {
  private final CallObserver[] observers;
  private final ThrottledErrorLog uncounted =
      new ThrottledErrorLog(
          LoggerFactory.getLogger(GuardedCallObserver.class),
          "a call was not counted; the call itself is not affected");

  GuardedCallObserver(List<CallObserver> observers) {
    this.observers = observers.toArray(new CallObserver[0]);
  }

  @Override
  public void connected() {
    tell(CallObserver::connected);
  }

  @Override
  public void finished(Call call, Throwable error) {
    for (CallObserver observer : observers) { // for each call, so without an object of its own
      try {
        observer.finished(call, error);
      } catch (Throwable t) {
        uncounted.report(t);
      }
    }
  }

  @Override
  public void dropped(Call call) {
    tell(observer -> observer.dropped(call));
  }

  @Override
  public void refused(Throwable error) {
    tell(observer -> observer.refused(error));
  }

  private void tell(Consumer<CallObserver> event) {
    for (CallObserver observer : observers) {
      try {
        event.accept(observer);
      } catch (Throwable t) {
        uncounted.report(t);
      }
    }
  }
}
