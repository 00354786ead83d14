package org.grampus.perf.echo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.client.SteadyGets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Calls an echo from several threads, each over a connection of its own, one call at a time. */
@Command(name = "echo-client", mixinStandardHelpOptions = true)
public final class EchoClient implements Callable<Integer> {
  private static final int DIGITS = 3;
  private static final double NANOS = 1e9;
  private static final long NANOS_OF_MICRO = 1000;

  @Option(names = "--port", required = true, description = "The echo's, on loopback.")
  private int port;

  @Option(names = "--threads", required = true, description = "How many.")
  private int threads;

  @Option(names = "--operations", required = true, description = "Calls of all threads.")
  private long operations;

  @Option(names = "--report", required = true, description = "Where figures go as JSON.")
  private Path report;

  /** Runs it. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new EchoClient()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Histogram>> ends = new ArrayList<>();
      long begun = System.nanoTime();
      for (int thread = 0; thread < threads; thread++) {
        long share = SteadyGets.share(operations, threads, thread);
        ends.add(pool.submit(() -> calls(share)));
      }
      Histogram micros = new Histogram(DIGITS);
      for (Future<Histogram> end : ends) {
        micros.add(end.get());
      }
      double seconds = (System.nanoTime() - begun) / NANOS;
      ClientFigures.of(operations, seconds, micros, 0, 0).write(report);
    } finally {
      pool.shutdownNow();
    }
    return CommandLine.ExitCode.OK;
  }

  private Histogram calls(long count) throws IOException {
    Histogram micros = new Histogram(DIGITS);
    byte[] request = EchoFrames.frame(EchoFrames.REQUEST_BYTES);
    byte[] reply = EchoFrames.frame(EchoFrames.REPLY_BYTES);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      for (long call = 0; call < count; call++) {
        long before = System.nanoTime();
        out.write(request);
        receive(in, reply);
        micros.recordValue((System.nanoTime() - before) / NANOS_OF_MICRO);
      }
    }
    return micros;
  }

  private static void receive(InputStream in, byte[] reply) throws IOException {
    if (in.readNBytes(reply, 0, reply.length) < reply.length
        || EchoFrames.length(reply) != EchoFrames.REPLY_BYTES) {
      throw new IOException("the echo has not answered as it does");
    }
  }
}
