package org.grampus.perf.pe.job;

import com.google.gson.Gson;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.grampus.perf.pe.option.CallSettings;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.Share;
import org.grampus.perf.pe.work.TestClient;

/**
 * What a map task is told: a line of JSON. All is resolved where the job begins, since the
 * configuration of a task says of every property that the program has set it.
 *
 * @param client its number
 * @param share its rows in a cycle
 * @param arguments of the command line
 * @param settings how calls are made
 * @param properties of {@code --commandPropertiesFile}
 */
record JobTask(
    int client,
    Share share,
    List<String> arguments,
    CallSettings settings,
    Map<String, String> properties) {
  private static final Gson GSON = TravelJson.gson();

  static JobTask parse(String line) {
    return GSON.fromJson(line, JobTask.class);
  }

  String line() {
    return GSON.toJson(this);
  }

  TestClient.Task task() {
    Properties all = new Properties();
    all.putAll(properties);
    return new TestClient.Task(PeOptions.parse(arguments), settings, all, client);
  }
}
