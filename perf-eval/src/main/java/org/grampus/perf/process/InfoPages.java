package org.grampus.perf.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.grampus.compat.suite.target.FreePorts;

/** The pages of a server's info port on loopback. Any thread. */
public final class InfoPages {
  /** What Prometheus scrapes. */
  public static final String PROMETHEUS = "/prometheus";

  /** The status page. */
  public static final String STATUS = "/rs-status";

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int OK = 200;

  private final int port;
  private final HttpClient client = HttpClient.newHttpClient();

  /** Those of a port. */
  public InfoPages(int port) {
    this.port = port;
  }

  /**
   * A page's text.
   *
   * @throws IOException when it does not come, or not with a code of 200
   */
  public String get(String page) throws IOException, InterruptedException {
    URI address = URI.create("http://" + FreePorts.HOST + ":" + port + page);
    HttpRequest request = HttpRequest.newBuilder(address).timeout(LIMIT).build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != OK) {
      throw new IOException(address + " answers with the code " + response.statusCode());
    }
    return response.body();
  }
}
