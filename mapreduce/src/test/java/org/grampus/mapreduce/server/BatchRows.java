package org.grampus.mapreduce.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The rows that a documented loop over batches sees, in the output of its process. */
public final class BatchRows {
  private static final String MARK = "row: ";

  private BatchRows() {}

  /** Called where the page leaves room for the reader's own work. */
  public static void show(VectorSchemaRoot root) {
    for (int row = 0; row < root.getRowCount(); row++) {
      StringJoiner values = new StringJoiner(" ", MARK, "");
      for (FieldVector column : root.getFieldVectors()) {
        values.add(String.valueOf(column.getObject(row)));
      }
      System.out.println(values);
    }
  }

  /** The rows that a process has shown. */
  static List<String> shown(Path log) {
    return said(log)
        .lines()
        .filter(line -> line.startsWith(MARK))
        .map(line -> line.substring(MARK.length()))
        .toList();
  }

  /** All that it has said. */
  static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
