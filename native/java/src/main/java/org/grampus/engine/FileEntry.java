package org.grampus.engine;

import java.util.List;

/**
 * What a path names.
 *
 * @param name its last part
 * @param directory whether it is one
 * @param bytes length of a closed file; of an open file an earlier length, or 0; 0 of a directory
 * @param id tells it from all others of its file system; 0 where that has none
 */
public record FileEntry(String name, boolean directory, long bytes, long id) {
  /** As it crosses the boundary. */
  public String text() {
    return EngineJson.write(this);
  }

  /** Entries as they cross the boundary. */
  public static String text(List<FileEntry> entries) {
    return EngineJson.write(entries);
  }
}
