package org.grampus.server.info;

import java.util.Locale;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A page as it is written. All text is escaped, wherever it comes from: names of tables, rows and
 * users are chosen by clients. One thread.
 */
final class Html {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  /** Characters of a key that a cell shows. */
  private static final int SHOWN_MAX = 64;

  /** The encoded name of a region between its two dots. */
  private static final int NAME_END_CHARACTERS = 34;

  private static final String ELLIPSIS = "…";

  private final StringBuilder out = new StringBuilder(1 << 14);

  /** Adds markup of our own. */
  Html raw(String markup) {
    out.append(markup);
    return this;
  }

  /** Adds text from anywhere. */
  Html text(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(Character.isISOControl(c) ? '\uFFFD' : c);
      }
    }
    return this;
  }

  /** Begins a section with a table. */
  Html table(String title, String... columns) {
    raw("<section><h2>").text(title).raw("</h2><div class=\"wide\"><table><thead><tr>");
    for (String column : columns) {
      raw("<th>").text(column).raw("</th>");
    }
    return raw("</tr></thead><tbody>");
  }

  /** A cell that stands right, as numbers do. */
  record Figure(String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  /** Text that is shortened in its cell; the title has its length. */
  record Cut(String shown, String title) {
    @Override
    public String toString() {
      return shown;
    }
  }

  /** A row key, which may have 32 KiB. */
  static Object key(byte[] key) {
    StringBuilder shown = new StringBuilder();
    for (int at = 0; at < key.length; at++) {
      String next = Bytes.toStringBinary(key, at, 1);
      if (shown.length() + next.length() > SHOWN_MAX) {
        return new Cut(shown + ELLIPSIS, key.length + " bytes");
      }
      shown.append(next);
    }
    return shown;
  }

  /** The name of a region: its table, its start key, and at the end what tells it from others. */
  static Object regionName(String name) {
    int end = name.length() - NAME_END_CHARACTERS;
    return end <= SHOWN_MAX
        ? name
        : new Cut(
            name.substring(0, SHOWN_MAX) + ELLIPSIS + name.substring(end),
            name.length() + " characters");
  }

  /** A row of a table; numbers and figures stand right. */
  Html row(Object... cells) {
    raw("<tr>");
    for (Object cell : cells) {
      if (cell instanceof Cut cut) {
        raw("<td title=\"").text(cut.title).raw("\">");
      } else {
        raw(cell instanceof Number || cell instanceof Figure ? "<td class=\"number\">" : "<td>");
      }
      text(
          cell instanceof Long || cell instanceof Integer
              ? grouped((Number) cell)
              : cell.toString());
      raw("</td>");
    }
    return raw("</tr>");
  }

  /** Ends the section. */
  Html end() {
    return raw("</tbody></table></div></section>\n");
  }

  private static String grouped(Number number) {
    return String.format(Locale.ROOT, "%,d", number.longValue());
  }

  /** A size as people read it. */
  static Figure size(long bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    return new Figure(
        unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", size, UNITS[unit]));
  }

  /** A part of a whole; empty without a whole. */
  static Figure percent(long part, long whole) {
    return new Figure(
        whole <= 0 ? "" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole));
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
