package org.grampus.engine;

import com.google.gson.JsonObject;

/**
 * Looks at the files of a root directory, reading only: what they consist of and whether they are
 * sound. Needs no engine and no server; may be called from any thread, and blocks.
 */
public final class NativeInspector {
  private NativeInspector() {}

  /**
   * Describes a file, or verifies everything below a directory.
   *
   * @return the document of docs/inspect.md; damage is part of it
   * @throws EngineException for a path that does not exist or is no file of the layout
   */
  public static JsonObject inspect(InspectRequest request) {
    NativeLibraryLoader.load();
    return EngineJson.readTree(inspect0(EngineJson.write(request)));
  }

  private static native String inspect0(String requestJson);
}
