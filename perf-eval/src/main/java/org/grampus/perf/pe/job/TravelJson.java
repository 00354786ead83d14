package org.grampus.perf.pe.job;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import org.grampus.engine.RecordAdapters;

/** The JSON that goes to tasks and comes from them. */
final class TravelJson {
  private TravelJson() {}

  /** On a cluster Hadoop's Gson comes first, which knows no records. */
  static Gson gson() {
    return new GsonBuilder().registerTypeAdapterFactory(new RecordAdapters()).create();
  }
}
