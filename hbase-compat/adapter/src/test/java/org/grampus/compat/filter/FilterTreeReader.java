package org.grampus.compat.filter;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Reads a filter tree by the grammar of docs/jni.md and shows it as text. */
final class FilterTreeReader {
  private final ByteBuf in;

  private FilterTreeReader(ByteBuf in) {
    this.in = in;
  }

  static String read(ByteBuf in) {
    String text = new FilterTreeReader(in).filter();
    if (in.isReadable()) {
      throw new IllegalArgumentException(in.readableBytes() + " bytes left over after " + text);
    }
    return text;
  }

  private String bytes() {
    return in.readCharSequence(in.readIntLE(), StandardCharsets.ISO_8859_1).toString();
  }

  private int u8() {
    return in.readUnsignedByte();
  }

  private String list(Item item) {
    StringBuilder text = new StringBuilder("[");
    for (int n = in.readIntLE(); n > 0; n--) {
      text.append(item.read()).append(n > 1 ? "," : "");
    }
    return text.append("]").toString();
  }

  /** One item of a list. */
  private interface Item {
    String read();
  }

  private String filter() {
    int tag = u8();
    return switch (tag) {
      case 1, 2, 3, 4 -> new String[] {"row", "family", "qualifier", "value"}[tag - 1] + compare();
      case 5 -> "dependent " + bytes() + ":" + bytes() + " drop" + u8() + compare();
      case 6, 7 ->
          (tag == 6 ? "scv " : "scve ")
              + bytes()
              + ":"
              + bytes()
              + compare()
              + " missing"
              + u8()
              + " latest"
              + u8();
      case 8 -> "cv " + bytes() + ":" + bytes() + compare();
      case 9 -> "prefix " + bytes();
      case 10 -> "inclusive-stop " + bytes();
      case 11 -> "page " + in.readLongLE();
      case 12 -> "count " + in.readIntLE();
      case 13 -> "page-columns " + in.readIntLE() + "+" + in.readIntLE() + " " + u8() + bytes();
      case 14 -> "column-prefix " + bytes();
      case 15 -> "column-prefixes " + list(this::bytes);
      case 16 -> "columns " + u8() + " " + bytes() + ".." + bytes();
      case 17 -> "first-key";
      case 18 -> "first-key-of " + list(this::bytes);
      case 19 -> "key-only " + u8();
      case 20 -> "timestamps " + list(() -> Long.toString(in.readLongLE())) + " " + u8();
      case 21 -> "fuzzy " + list(() -> bytes() + "/" + bytes().length()) + " " + u8();
      case 22 -> "ranges " + list(() -> bytes() + u8() + ".." + bytes() + u8());
      case 23 -> "random " + in.readFloatLE();
      case 24 -> "skip(" + filter() + ")";
      case 25 -> "while(" + filter() + ")";
      case 26 -> (u8() == 1 ? "all" : "one") + list(this::filter);
      case 27 -> "none";
      default -> throw new IllegalArgumentException("tag " + tag);
    };
  }

  private String compare() {
    int op = u8();
    int tag = u8();
    return " op"
        + op
        + switch (tag) {
          case 0 -> "";
          case 1 -> " binary " + bytes();
          case 2 -> " binary-prefix " + bytes();
          case 3 -> " long " + in.readLongLE();
          case 4 -> " decimal " + in.readIntLE() + "/" + bytes().length();
          case 5 -> " bit " + bytes() + " " + u8();
          case 6 -> " null";
          case 7 -> " substring " + bytes();
          case 8 -> " regex " + bytes() + " " + in.readIntLE() + " " + bytes() + " " + u8();
          case 9 -> " component " + bytes() + "@" + in.readIntLE();
          default -> throw new IllegalArgumentException("comparator " + tag);
        };
  }
}
