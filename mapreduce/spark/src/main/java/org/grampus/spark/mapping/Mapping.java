package org.grampus.spark.mapping;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The columns of a table as fields of rows, the row key's first. {@link #parse} gives one of the
 * whole table, which has a row key; {@link #of} one of a query, which has none if the query does
 * not need it. Immutable.
 */
public final class Mapping implements Serializable {
  private static final long serialVersionUID = 1;

  /** Stands in the text for the row key. */
  static final String KEY = ":key";

  /** Stands in the text for a row key that is left out of the batches. */
  static final String NO_KEY = ":nokey";

  private final Column key;
  private final List<Column> columns;

  /**
   * A mapping.
   *
   * @param key null in a mapping of a query that does not need it
   * @throws IllegalArgumentException when two fields have one name, a name cannot be, or a column
   *     is there twice
   */
  Mapping(Column key, List<Column> columns) {
    this.key = key;
    this.columns = List.copyOf(columns);
    Set<String> names = new HashSet<>();
    Set<String> sources = new HashSet<>();
    for (Column column : all()) {
      requireName(column.name());
      requireNew(names, column.name(), "two fields are called ");
      if (column.withTimestamp()) {
        requireNew(names, column.timestampName(), "two fields are called ");
      }
      if (!column.isKey()) {
        requireNew(sources, source(column), "there is twice the column ");
      }
    }
  }

  /**
   * Parses the text of a mapping (docs/downloads.md).
   *
   * @throws IllegalArgumentException with a sentence that names the part that is wrong
   */
  public static Mapping parse(String text) {
    return MappingParser.parse(text);
  }

  private static void requireName(String name) {
    boolean bad =
        name.isBlank()
            || !name.strip().equals(name)
            || name.chars().anyMatch(c -> Character.isISOControl(c) || ",:=".indexOf(c) >= 0);
    if (bad) {
      throw new IllegalArgumentException("\"" + name + "\" is no name of a field");
    }
  }

  private static void requireNew(Set<String> known, String text, String sentence) {
    if (!known.add(text)) {
      throw new IllegalArgumentException("the columns cannot be: " + sentence + text);
    }
  }

  private static String source(Column column) {
    return Bytes.toStringBinary(column.family()) + ":" + Bytes.toStringBinary(column.qualifier());
  }

  private List<Column> all() {
    return Stream.concat(Stream.ofNullable(key), columns.stream()).toList();
  }

  /** The row key; null in a mapping of a query that does not need it. */
  public Column key() {
    return key;
  }

  /** The others, in their order. */
  public List<Column> columns() {
    return columns;
  }

  /** The column that a field is made of; null when there is none. */
  public Column column(String field) {
    return all().stream().filter(column -> column.name().equals(field)).findFirst().orElse(null);
  }

  /** What the fields are made of, in their order. */
  public List<Field> fields() {
    List<Field> fields = new ArrayList<>();
    for (Column column : all()) {
      fields.add(new Field(column, false));
      if (column.withTimestamp()) {
        fields.add(new Field(column, true));
      }
    }
    return fields;
  }

  /** The fields as Spark has them. All may be null, so that rows of any schema can be written. */
  public StructType schema() {
    return DataTypes.createStructType(
        fields().stream()
            .map(field -> DataTypes.createStructField(field.name(), field.sparkType(), true))
            .toArray(StructField[]::new));
  }

  /**
   * The mapping of a query that returns some of the fields. It has the row key if that is one of
   * them, or if there is no other: a batch needs a column.
   */
  public Mapping of(StructType wanted) {
    Set<String> names = Set.of(wanted.fieldNames());
    List<Column> some = new ArrayList<>();
    for (Column column : columns) {
      boolean stamps = column.withTimestamp() && names.contains(column.timestampName());
      if (stamps || names.contains(column.name())) {
        some.add(column.withTimestamp(stamps));
      }
    }
    boolean named = key != null && names.contains(key.name());
    if (key != null && !named && some.isEmpty()) {
      // As bytes no key is refused, since no code looks at it.
      return new Mapping(new Column(null, null, key.name(), ColumnType.BYTES, false), some);
    }
    return new Mapping(named ? key : null, some);
  }

  /**
   * The text that the engine reads. {@link #parse} reads it too, unless the row key is left out,
   * which users cannot ask for.
   */
  @Override
  public String toString() {
    Stream<String> noKey = key == null ? Stream.of(NO_KEY) : Stream.empty();
    return Stream.concat(noKey, all().stream().map(Column::toString))
        .collect(Collectors.joining(","));
  }
}
