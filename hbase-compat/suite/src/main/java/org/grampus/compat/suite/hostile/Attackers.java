package org.grampus.compat.suite.hostile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The process of the attackers. What they do themselves, their garbage collections included, is
 * their machine's business in reality; here they run beside the test driver at the lowest priority,
 * so that only what the server does for them takes time from the good client.
 *
 * <pre>
 * argument := port small large wide            names of regions in Base64
 * input    := "prepare " NAME | "run " SECONDS
 * output   := "ready" | "done " connections " " bytes sent " " bytes received " " replies
 * </pre>
 */
public final class Attackers {
  static final List<Attack> ALL =
      List.of(
          new PreambleFlood(),
          new ConnectionFlood(),
          new PartialFrames(),
          new ProtobufBombs(),
          new InlineMutations(),
          new CompressorBombs(),
          new ScansWithoutCodec(),
          new LargeRows(),
          new LargeAppends(),
          new SlowReaders(),
          new ManyScanners());

  static final String PREPARE = "prepare ";
  static final String READY = "ready";
  static final String RUN = "run ";
  static final String DONE = "done ";

  private Attackers() {}

  /** Attacks as its input says, until that ends. */
  public static void main(String[] args) throws Exception {
    Victim victim =
        new Victim(Integer.parseInt(args[0]), bytes(args[1]), bytes(args[2]), bytes(args[3]), 0);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Attack attack = null;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith(PREPARE)) {
        attack = named(line.substring(PREPARE.length()));
        attack.prepare(victim);
        say(READY);
      } else if (attack != null) {
        Traffic before = Traffic.now();
        long nanos = TimeUnit.SECONDS.toNanos(Integer.parseInt(line.substring(RUN.length())));
        attack.run(victim.until(System.nanoTime() + nanos));
        say(DONE + Traffic.now().since(before).line());
      }
    }
  }

  private static Attack named(String name) throws IOException {
    for (Attack attack : ALL) {
      if (attack.name().equals(name)) {
        return attack;
      }
    }
    throw new IOException("no attack is called " + name);
  }

  private static void say(String line) {
    PrintStream out = System.out;
    out.println(line);
    out.flush();
  }

  private static byte[] bytes(String base64) {
    return Base64.getDecoder().decode(base64);
  }
}
