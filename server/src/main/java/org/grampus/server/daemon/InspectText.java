package org.grampus.server.daemon;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The documents of {@code grampus inspect} (docs/inspect.md) as text for people. */
final class InspectText {
  private final PrintWriter out;

  InspectText(PrintWriter out) {
    this.out = out;
  }

  /** Prints one document. A damaged file is one line. */
  void print(JsonObject document) {
    if (document.has("damage")) {
      out.println("damaged: " + text(document, "damage"));
    } else if (document.has("skipped")) {
      out.println(text(document, "path") + ": skipped: " + text(document, "skipped"));
    } else {
      switch (text(document, "kind")) {
        case "columnFile" -> columnFile(document);
        case "logSegment" -> logSegment(document);
        case "directory" -> directory(document);
        default -> out.println(document);
      }
    }
  }

  private void directory(JsonObject document) {
    for (JsonElement element : document.getAsJsonArray("files")) {
      JsonObject file = element.getAsJsonObject();
      if (file.has("damage") || file.has("skipped")) {
        print(file);
      } else if (isTorn(file)) {
        out.println(text(file, "path") + ": " + end(file));
      }
    }
    JsonObject summary = document.getAsJsonObject("summary");
    JsonObject files = summary.getAsJsonObject("columnFiles");
    JsonObject logs = summary.getAsJsonObject("logSegments");
    out.printf("%s: verified%n", text(document, "path"));
    field(
        "column files",
        "%s, %s bytes, %s rows, %s cells"
            .formatted(
                number(files, "files"),
                number(files, "bytes"),
                number(files, "rows"),
                number(files, "cells")));
    field(
        "log segments",
        "%s, %s bytes, %s records, %s cells, %s with a torn tail"
            .formatted(
                number(logs, "files"),
                number(logs, "bytes"),
                number(logs, "records"),
                number(logs, "cells"),
                number(summary, "torn")));
    field("skipped", number(summary, "skipped"));
    field("damaged", number(summary, "damaged"));
  }

  private void columnFile(JsonObject file) {
    out.printf("%s: column file, %s bytes%n", text(file, "path"), number(file, "bytes"));
    field("format", text(file, "format"));
    field("family", textOr(file, "family", "(no rows)"));
    field("row order", text(file, "rowOrder"));
    field("created", time(file, "createdMillis"));
    field("major", file.get("major").getAsBoolean() ? "yes" : "no");
    file.getAsJsonArray("compactionInputs")
        .forEach(name -> field("compacted from", name.getAsString()));
    JsonObject sequences = file.getAsJsonObject("cellSequences");
    field(
        "sequence ids",
        "up to %s, of cells %s to %s"
            .formatted(
                number(file, "maxSequence"), number(sequences, "min"), number(sequences, "max")));
    field("rows", number(file, "rows"));
    field(
        "cells",
        "%s, %s of them deletes, %s of these of the family"
            .formatted(
                number(file, "cells"), number(file, "deletes"), number(file, "familyDeletes")));
    field("timestamps", range(file));
    field(
        "keys, values",
        "%s and %s bytes".formatted(number(file, "keyBytes"), number(file, "valueBytes")));
    field("first row", textOr(file, "firstRow", "(none)"));
    field("last row", textOr(file, "lastRow", "(none)"));
    field("compression", "%s (pages)".formatted(counts(file.getAsJsonObject("compression"))));
    JsonObject bloom = file.getAsJsonObject("bloom");
    field("bloom filter", "%s, %s bytes".formatted(text(bloom, "kind"), number(bloom, "bytes")));
    shares(file);
    rowGroups(file.getAsJsonArray("rowGroups"));
    columns(file);
    cells(file);
    out.println(
        file.get("verified").getAsBoolean()
            ? "verified"
            : "not verified: --verify checks everything");
  }

  private void shares(JsonObject file) {
    double bytes = Math.max(1, file.get("bytes").getAsLong());
    out.println("shares of the file");
    for (Map.Entry<String, JsonElement> share : file.getAsJsonObject("shares").entrySet()) {
      double percent = 100 * share.getValue().getAsLong() / bytes;
      out.printf(
          Locale.ROOT,
          "  %-15s %,14d bytes %5.1f %%%n",
          share.getKey(),
          share.getValue().getAsLong(),
          percent);
    }
  }

  private void rowGroups(JsonArray groups) {
    out.printf(Locale.ROOT, "row groups: %,d%n", groups.size());
    for (JsonElement element : groups) {
      JsonObject group = element.getAsJsonObject();
      out.printf(
          "  %s rows, %s cells, %s bytes, %s to %s%n",
          number(group, "rows"),
          number(group, "cells"),
          number(group, "storedBytes"),
          text(group, "firstRow"),
          text(group, "lastRow"));
    }
  }

  private void columns(JsonObject file) {
    JsonArray columns = file.getAsJsonArray("columns");
    out.printf(Locale.ROOT, "columns with pages of their own: %,d%n", columns.size());
    for (JsonElement element : columns) {
      JsonObject column = element.getAsJsonObject();
      out.printf(
          "  %s: %s cells, %s deletes, %s%n",
          text(column, "qualifier"),
          number(column, "cells"),
          number(column, "deletes"),
          pages(column));
      if (!column.get("values").isJsonNull()) {
        JsonObject values = column.getAsJsonObject("values");
        String cut = values.get("maxCut").getAsBoolean() ? "..." : "";
        out.printf("    values %s to %s%s%n", text(values, "min"), text(values, "max"), cut);
      }
    }
    out.println("other pages");
    for (JsonElement element : file.getAsJsonArray("otherPages")) {
      JsonObject area = element.getAsJsonObject();
      out.printf("  %s: %s%n", text(area, "area"), pages(area));
    }
  }

  private static String pages(JsonObject area) {
    String encodings = counts(area.getAsJsonObject("encodings"));
    return String.format(
        "%s pages, %s bytes stored, %s raw%s",
        number(area, "pages"),
        number(area, "storedBytes"),
        number(area, "rawBytes"),
        encodings.isEmpty() ? "" : ", " + encodings);
  }

  private void logSegment(JsonObject log) {
    out.printf("%s: log segment, %s bytes%n", text(log, "path"), number(log, "bytes"));
    if (!log.get("version").isJsonNull()) {
      field("version", text(log, "version"));
      field(
          "flags",
          "%s%s"
              .formatted(
                  text(log, "flags"),
                  log.get("meta").getAsBoolean() ? " (log of hbase:meta)" : ""));
      field("created", time(log, "createdMillis"));
    }
    field("records", "%s, %s cells".formatted(number(log, "records"), number(log, "cells")));
    field("end", end(log));
    for (JsonElement element : log.getAsJsonArray("regions")) {
      JsonObject region = element.getAsJsonObject();
      out.printf(
          "  %s %s: %s records, %s cells, %s bytes, sequence ids %s to %s%n",
          text(region, "table"),
          text(region, "region"),
          number(region, "records"),
          number(region, "cells"),
          number(region, "bytes"),
          number(region, "firstSequence"),
          number(region, "lastSequence"));
    }
    if (log.has("edits")) {
      log.getAsJsonArray("edits").forEach(edit -> edit(edit.getAsJsonObject()));
      more(log);
    }
  }

  private void edit(JsonObject edit) {
    out.printf(
        "at byte %s: sequence id %s, %s %s, written %s, %s bytes%n",
        text(edit, "offset"),
        text(edit, "sequence"),
        text(edit, "table"),
        text(edit, "region"),
        time(edit, "writeMillis"),
        number(edit, "bytes"));
    edit.getAsJsonArray("cells").forEach(cell -> cell(cell.getAsJsonObject()));
  }

  private static boolean isTorn(JsonObject log) {
    return log.has("end") && text(log, "end").equals("torn");
  }

  private static String end(JsonObject log) {
    return switch (text(log, "end")) {
      case "closed" -> "closed in order";
      case "torn" -> "a torn tail begins at byte " + text(log, "goodBytes");
      case "empty" -> "no records: the process died before the header was written";
      default -> "not closed: it is being written, or its process died";
    };
  }

  private void cells(JsonObject file) {
    if (file.has("cellList")) {
      out.println("cells");
      file.getAsJsonArray("cellList").forEach(cell -> cell(cell.getAsJsonObject()));
      more(file);
    }
  }

  /** A cell as HBase prints it: row, family where it is there, qualifier, timestamp, type. */
  private void cell(JsonObject cell) {
    String family = cell.has("family") ? text(cell, "family") + ":" : "";
    out.printf(
        "  %s/%s%s/%s/%s seqid=%s value=%s%s%n",
        text(cell, "row"),
        family,
        text(cell, "qualifier"),
        text(cell, "timestamp"),
        text(cell, "type"),
        text(cell, "sequence"),
        text(cell, "value"),
        cell.has("tags") ? " tags=" + text(cell, "tags") : "");
  }

  private void more(JsonObject document) {
    if (document.get("moreCells").getAsBoolean()) {
      out.println("  there are more: --cells N, --row ROW");
    }
  }

  private static String range(JsonObject file) {
    if (file.get("timestamps").isJsonNull()) {
      return "(none)";
    }
    JsonObject range = file.getAsJsonObject("timestamps");
    return text(range, "min") + " to " + text(range, "max");
  }

  private static String time(JsonObject object, String key) {
    return Instant.ofEpochMilli(object.get(key).getAsLong()).toString();
  }

  private static String counts(JsonObject counts) {
    return counts.entrySet().stream()
        .map(entry -> entry.getKey() + " x " + entry.getValue().getAsString())
        .collect(Collectors.joining(", "));
  }

  private static String text(JsonObject object, String key) {
    return object.get(key).getAsString();
  }

  private static String textOr(JsonObject object, String key, String otherwise) {
    return object.get(key).isJsonNull() ? otherwise : text(object, key);
  }

  private static String number(JsonObject object, String key) {
    return String.format(Locale.ROOT, "%,d", object.get(key).getAsLong());
  }

  private void field(String name, String value) {
    out.printf("  %-15s %s%n", name, value);
  }
}
