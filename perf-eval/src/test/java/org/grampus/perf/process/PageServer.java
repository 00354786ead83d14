package org.grampus.perf.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** An info port on loopback whose two pages are {@link #TEXT}. */
public final class PageServer implements AutoCloseable {
  static final String TEXT = "engine_files 3.5\n";

  private final Semaphore answered = new Semaphore(0);
  private final AtomicLong requests = new AtomicLong();
  private final HttpServer server;

  /** Serves. */
  public PageServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    server.createContext(InfoPages.PROMETHEUS, this::answer);
    server.createContext(InfoPages.STATUS, this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    byte[] text = TEXT.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
    answered.release();
  }

  /** Its pages. */
  public InfoPages pages() {
    return new InfoPages(server.getAddress().getPort());
  }

  /** How often a page was asked for. */
  public long requests() {
    return requests.get();
  }

  /** Waits for so many answers since the last time. */
  public void awaitAnswers(int number) throws InterruptedException {
    answered.acquire(number);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
