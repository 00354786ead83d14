package org.grampus.spark.mapping;

import java.io.Serializable;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The type of a column.
 *
 * @param kind what its bytes mean
 * @param precision digits of a decimal; 0 for other kinds
 * @param scale digits behind its point; 0 for other kinds
 */
public record ColumnType(Kind kind, int precision, int scale) implements Serializable {
  /** What a column without a type is. */
  public static final ColumnType BYTES = of(Kind.BYTES);

  /** What the timestamps of cells are. */
  public static final ColumnType TIMESTAMP = of(Kind.TIMESTAMP);

  private static final int PRECISION_MAX = 38;
  private static final Pattern DECIMAL =
      Pattern.compile("decimal\\(\\s*(\\d{1,3})\\s*(?:,\\s*(\\d{1,3})\\s*)?\\)");

  /** A type that is no decimal. */
  public static ColumnType of(Kind kind) {
    return new ColumnType(kind, 0, 0);
  }

  /**
   * The type of a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  static ColumnType parse(String name) {
    for (Kind kind : Kind.values()) {
      if (kind != Kind.DECIMAL && kind.text.equals(name)) {
        return of(kind);
      }
    }
    Matcher decimal = DECIMAL.matcher(name);
    if (!decimal.matches()) {
      throw new IllegalArgumentException(
          "there is no type \"" + name + "\"; the types are " + names());
    }
    int precision = Integer.parseInt(decimal.group(1));
    int scale = decimal.group(2) == null ? 0 : Integer.parseInt(decimal.group(2));
    if (precision < 1 || precision > PRECISION_MAX || scale > precision) {
      throw new IllegalArgumentException(
          name + " cannot be: a decimal has 1 to 38 digits, and no more behind its point");
    }
    return new ColumnType(Kind.DECIMAL, precision, scale);
  }

  private static String names() {
    return Arrays.stream(Kind.values())
        .map(kind -> kind == Kind.DECIMAL ? "decimal(precision,scale)" : kind.text)
        .collect(Collectors.joining(", "));
  }

  /** Spark's type of its values. */
  public DataType sparkType() {
    return kind == Kind.DECIMAL ? DataTypes.createDecimalType(precision, scale) : kind.type;
  }

  /** As a mapping has it. */
  @Override
  public String toString() {
    return kind == Kind.DECIMAL ? "decimal(" + precision + "," + scale + ")" : kind.text;
  }
}
