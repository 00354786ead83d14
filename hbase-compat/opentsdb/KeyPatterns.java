import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyRegexpFilter;
import org.hbase.async.KeyValue;
import org.hbase.async.PutRequest;
import org.hbase.async.Scanner;

/** Rows that asynchbase's KeyRegexpFilter finds, a line for each pattern and charset. */
public final class KeyPatterns {
  private static final String[] KEYS = {
    "\0\0\1aaaa\0\0\1\0\0\2", "\0\0\1aaaa\0\0\1\0\u0085\n", "\0\0\1aaaa\0\0\3\0\0\4\0\0\1\0\0\2", "\0\0\1aaaa\0\0\1\u00ff*E",
    "\0\0\1aaaa\0\0\1\u00e9\u0080\u00c3", "plain", "PLAIN", "plain\n", "pl\u00e4in",
  };
  private static final String[] PATTERNS = {
    "(?s)^.{7}(?:.{6})*\\Q\0\0\1\0\0\2\\E(?:.{6})*$", "(?s)^.{7}(?:.{6})*\\Q\0\0\1\0\u0085\n\\E(?:.{6})*$",
    "(?s)^.{7}(?:.{6})*\\Q\0\0\1\u00ff*E\\E(?:.{6})*$", "(?s)^.{7}(?:.{6})*\\Q\0\0\1\\E(?!\\Q\0\0\2\\E)(?:.{3})(?:.{6})*$",
    "^plain$", "(?i)^PLAIN", "^pl\\w+n", "^pl[^a-z]in$", "^\\p{Lower}+$", "(?<=l)ai", "^(?:p|P)(l|L).*$", "[\\x80-\\xff]", "\\bin\\b",
  };

  private KeyPatterns() {}

  public static void main(String[] args) throws Exception {
    HBaseClient client = new HBaseClient(args[0]);
    try {
      byte[] table = ascii("async");
      for (String key : KEYS) {
        client
            .put(new PutRequest(table, key.getBytes(StandardCharsets.ISO_8859_1), ascii("f"), ascii("q"), ascii("v")))
            .join(60_000);
      }
      for (String pattern : PATTERNS) {
        for (Charset charset : new Charset[] {StandardCharsets.ISO_8859_1, StandardCharsets.UTF_8, StandardCharsets.US_ASCII}) {
          Scanner scanner = client.newScanner(table);
          scanner.setFilter(new KeyRegexpFilter(pattern, charset));
          System.out.println(show(pattern) + " " + charset + ":" + rows(scanner));
        }
      }
    } finally {
      client.shutdown().join(60_000);
    }
  }

  private static List<String> rows(Scanner scanner) throws Exception {
    List<String> rows = new ArrayList<>();
    for (ArrayList<ArrayList<KeyValue>> batch = scanner.nextRows().join(60_000);
        batch != null;
        batch = scanner.nextRows().join(60_000)) {
      for (ArrayList<KeyValue> row : batch) {
        rows.add(show(new String(row.get(0).key(), StandardCharsets.ISO_8859_1)));
      }
    }
    scanner.close().join(60_000);
    return rows;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String show(String text) {
    StringBuilder shown = new StringBuilder();
    for (char character : text.toCharArray()) {
      shown.append(character > ' ' && character < 0x7f ? String.valueOf(character) : String.format("\\x%02x", (int) character));
    }
    return shown.toString();
  }
}
