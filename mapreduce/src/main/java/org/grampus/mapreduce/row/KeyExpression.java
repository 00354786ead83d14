package org.grampus.mapreduce.row;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.grampus.mapreduce.source.SourceRecord;

/**
 * A row key of several columns, joined by a separator:
 *
 * <pre>
 * key  = [ "hash(" digits ")" "," ] part { "," part }
 * part = column [ ":" form ]
 * form = "0" width "d"    a whole number, not negative, with zeros before it up to a width
 *      | width "s"        a text that ends with no space, with spaces behind it up to a width
 *      | "reverse"        its characters from the last one to the first
 * </pre>
 *
 * {@code hash(n)} is the first n hexadecimal digits, in small letters, of the MD5 of the rest of
 * the key, so that rows are spread over regions and a key can be found again. A value is there as
 * its text; one that is null is empty, but for numbers, which must be there.
 */
final class KeyExpression implements RowKeys {
  private static final Pattern HASH = Pattern.compile("hash\\(([0-9]+)\\)");
  private static final int HASH_DIGITS_MAX = 32;

  /** Hexadecimal digits of the hash; 0 for none. */
  private final int hashDigits;

  private final List<KeyPart> parts;
  private final String separator;
  private final FieldIndex index;

  private KeyExpression(int hashDigits, List<KeyPart> parts, String separator) {
    this.hashDigits = hashDigits;
    this.parts = parts;
    this.separator = separator;
    this.index = new FieldIndex(columns());
  }

  /**
   * Parses an expression.
   *
   * @throws IllegalArgumentException with a sentence
   */
  static KeyExpression parse(String text, String separator) {
    List<String> all = new ArrayList<>(List.of(text.split(",", -1)));
    Matcher hash = HASH.matcher(all.get(0).strip());
    int digits = 0;
    if (hash.matches()) {
      digits = hash.group(1).length() > 2 ? Integer.MAX_VALUE : Integer.parseInt(hash.group(1));
      require(digits > 0 && digits <= HASH_DIGITS_MAX, "hash(n) has 1 to 32 digits");
      all.remove(0);
    }
    require(!all.isEmpty(), "no column is named; give --key with columns of the files");
    return new KeyExpression(digits, all.stream().map(KeyPart::parse).toList(), separator);
  }

  static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException("--key: " + otherwise);
    }
  }

  @Override
  public byte[] of(SourceRecord record) throws BadValueException, MissingColumnException {
    int[] places = index.of(record.shape());
    StringBuilder key = new StringBuilder();
    boolean isEmpty = true;
    for (int i = 0; i < places.length; i++) {
      if (i > 0) {
        key.append(separator);
      }
      String part = parts.get(i).of(places[i] < 0 ? null : record.values()[places[i]]);
      requireNoSeparator(i, part);
      key.append(part);
      isEmpty &= part.isBlank();
    }
    return isEmpty ? null : hashed(key.toString());
  }

  /**
   * Looks whether a part ends where the key's next separator begins. Otherwise rows of different
   * parts could have one key.
   */
  private void requireNoSeparator(int number, String text) throws BadValueException {
    if (parts.size() == 1 || separator.isEmpty()) {
      return;
    }
    String problem = null;
    if (text.contains(separator)) {
      problem = " has the separator of the key, ";
    } else if (number + 1 < parts.size() && (text + separator).indexOf(separator) < text.length()) {
      problem = " ends with a part of the key's separator, ";
    }
    if (problem != null) {
      throw new BadValueException(
              TextForm.shown(text)
                  + problem
                  + TextForm.shown(separator)
                  + "; --key-separator says another one")
          .in(parts.get(number).column());
    }
  }

  private byte[] hashed(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    if (hashDigits == 0) {
      return bytes;
    }
    String hash = HexFormat.of().formatHex(md5().digest(bytes)).substring(0, hashDigits);
    return (hash + separator + key).getBytes(StandardCharsets.UTF_8);
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }

  @Override
  public List<String> columns() {
    return parts.stream().map(KeyPart::column).toList();
  }
}
