package org.grampus.mapreduce.source;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;

/**
 * The columns of records. Sources keep one for as many records as have it.
 *
 * @param names of the columns
 * @param ofFile whether all records of the file have these columns, so that one that is missing
 *     here is missing everywhere; otherwise a record may have others
 */
public record RecordShape(List<String> names, boolean ofFile) {
  /** Of a file without a header line, which has no records. */
  static final RecordShape EMPTY = new RecordShape(List.of(), true);

  /**
   * The columns that a file's header, or the user of a command, says.
   *
   * @throws IOException when two have the same name
   */
  static RecordShape ofHeader(Path file, List<String> names) throws IOException {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new IOException(file + ": two columns are called " + name);
      }
    }
    return new RecordShape(names, true);
  }
}
