package org.grampus.spark.filter;

import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.grampus.spark.mapping.Column;
import org.grampus.spark.mapping.Mapping;

/**
 * Makes conditions of a scan of Spark's predicates. A comparison with null is unknown in SQL, so a
 * row that lacks the column passes neither it nor its opposite.
 */
public final class PushDown {
  /** More values of an IN are Spark's to look at. */
  private static final int VALUES_MAX = 1000;

  private final Mapping mapping;

  /** Predicates over the fields of a mapping. */
  public PushDown(Mapping mapping) {
    this.mapping = mapping;
  }

  /** What a scan does for a predicate; null when it cannot decide it exactly. */
  public Condition of(Predicate predicate) {
    return of(predicate, false);
  }

  private Condition of(Predicate predicate, boolean negated) {
    return switch (predicate.name()) {
      case "AND" -> both(predicate.children(), negated, !negated);
      case "OR" -> both(predicate.children(), negated, negated);
      case "NOT" -> predicate.children()[0] instanceof Predicate inner ? of(inner, !negated) : null;
      case "ALWAYS_TRUE" -> negated ? none() : Condition.ALL;
      case "ALWAYS_FALSE" -> negated ? Condition.ALL : none();
      case "IS_NULL" -> presence(predicate, negated);
      case "IS_NOT_NULL" -> presence(predicate, !negated);
      default -> comparison(predicate, negated);
    };
  }

  private static Condition none() {
    return Condition.ofKeys(ByteRanges.NONE);
  }

  private Condition both(Expression[] children, boolean negated, boolean all) {
    if (!(children[0] instanceof Predicate first) || !(children[1] instanceof Predicate second)) {
      return null;
    }
    Condition left = of(first, negated);
    Condition right = of(second, negated);
    if (left == null || right == null) {
      return null;
    }
    return all ? left.and(right) : left.or(right);
  }

  /** The column that an expression is; null when it is none, or the timestamps of one. */
  private Column column(Expression expression) {
    return expression instanceof NamedReference reference && reference.fieldNames().length == 1
        ? mapping.column(reference.fieldNames()[0])
        : null;
  }

  private Condition presence(Predicate predicate, boolean wanted) {
    Column column = column(predicate.children()[0]);
    if (column == null || (column.isKey() && column.type().kind().isParsed())) {
      return null;
    }
    if (column.isKey()) {
      return wanted ? Condition.ALL : none();
    }
    return wanted
        ? Condition.ofColumn(column, ColumnFilters.in(column, ValueRanges.notNull(column.type())))
        : Condition.ofMissing(column, ColumnFilters.missing(column));
  }

  private Condition comparison(Predicate predicate, boolean negated) {
    Expression[] children = predicate.children();
    Column column = children.length == 0 ? null : column(children[0]);
    if (column == null || children.length > VALUES_MAX + 1) {
      return null;
    }
    if (predicate.name().equals("<=>") && isNull(children[1])) {
      return presence(predicate, negated);
    }
    if (predicate.name().equals("<=>") && negated) {
      return null; // true of a row that lacks the column
    }
    ByteRanges values = values(predicate.name(), column, children);
    if (values == null) {
      return null;
    }
    ByteRanges passing = negated ? values.complement() : values;
    return column.isKey()
        ? Condition.ofKeys(passing)
        : Condition.ofColumn(column, ColumnFilters.in(column, passing));
  }

  private static boolean isNull(Expression expression) {
    return expression instanceof Literal<?> literal && literal.value() == null;
  }

  private static ByteRanges values(String name, Column column, Expression[] children) {
    if (name.equals("IN")) {
      return anyOf(column, children);
    }
    Object value = children.length == 2 ? literal(column, children[1]) : null;
    if (value == null) {
      return null;
    }
    return switch (name) {
      case "=", "<=>" -> ValueRanges.equal(column.type(), value);
      case "<>" -> complement(ValueRanges.equal(column.type(), value));
      case ">=" -> ValueRanges.atLeast(column.type(), value);
      case ">" -> ValueRanges.above(column.type(), value);
      case "<" -> complement(ValueRanges.atLeast(column.type(), value));
      case "<=" -> complement(ValueRanges.above(column.type(), value));
      case "STARTS_WITH" -> ValueRanges.beginning(column.type(), value);
      default -> null;
    };
  }

  private static ByteRanges complement(ByteRanges ranges) {
    return ranges == null ? null : ranges.complement();
  }

  private static ByteRanges anyOf(Column column, Expression[] children) {
    ByteRanges any = ByteRanges.NONE;
    for (int i = 1; i < children.length; i++) {
      Object value = literal(column, children[i]);
      ByteRanges one = value == null ? null : ValueRanges.equal(column.type(), value);
      if (one == null) {
        return null;
      }
      any = any.or(one);
    }
    return any;
  }

  /** The value of a literal of the column's own type; null when it is none, or null. */
  private static Object literal(Column column, Expression expression) {
    if (!(expression instanceof Literal<?> literal) || literal.value() == null) {
      return null;
    }
    DataType type = column.type().sparkType();
    boolean same = literal.dataType().equals(type); // texts of another collation are not
    return same && ValueRanges.isOf(column.type(), literal.value()) ? literal.value() : null;
  }
}
