package org.grampus.spark.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.grampus.spark.mapping.Column;
import org.grampus.spark.mapping.Field;
import org.grampus.spark.mapping.Mapping;
import org.grampus.spark.mapping.Values;
import org.junit.jupiter.api.Test;

/** What is pushed down passes exactly the rows of which SQL says that the predicate is true. */
class PushDownTest {
  private static final Mapping MAPPING =
      Mapping.parse(
          ":key=k:string,f:i=i:int,f:l=l:long,f:s=s:string,f:b=b:boolean,f:d=d:double,f:t=t:timestamp,"
              + "f:y=y:byte,f:n=n:long(text)");
  private static final PushDown PUSH_DOWN = new PushDown(MAPPING);
  private static final String[] COMPARISONS = {"=", "<>", "<", "<=", ">", ">=", "<=>"};
  private static final int ROUNDS = 4000;
  private static final long MICROS_PER_MILLI = 1000;

  /** As Spark's own, which begins with a parser. */
  private record Reference(String name) implements NamedReference {
    @Override
    public String[] fieldNames() {
      return new String[] {name};
    }
  }

  private static Predicate predicate(String name, Expression... children) {
    return new Predicate(name, children);
  }

  private static Expression literal(Object value, DataType type) {
    return new LiteralValue<>(value, type);
  }

  private static Expression column(String name) {
    return new Reference(name);
  }

  /** A value of a field from a few, so that equal ones meet; null now and then. */
  private static Object value(Random chance, String field) {
    if (!field.equals("k") && chance.nextInt(4) == 0) {
      return null;
    }
    int number = chance.nextInt(7) - 3;
    return switch (field) {
      case "i" -> chance.nextInt(9) == 0 ? (Object) Integer.MIN_VALUE : (Object) number;
      case "l" -> chance.nextInt(9) == 0 ? Long.MAX_VALUE : (long) number;
      case "n" -> (long) number;
      case "t" -> number * 500L + (number % 2 == 0 ? 0 : 1000);
      case "y" -> chance.nextInt(5) == 0 ? Byte.MAX_VALUE : (byte) number;
      case "b" -> number > 0;
      case "d" ->
          chance.nextInt(5) == 0 ? Double.NaN : number / 2.0 * (chance.nextBoolean() ? 1 : -1);
      default ->
          UTF8String.fromString(
              "ab\u00e4".substring(0, Math.abs(number)) + (number < 0 ? "" : "a"));
    };
  }

  private static final String[] FIELDS = {"k", "i", "l", "s", "b", "d", "t", "y", "n"};

  private static Predicate random(Random chance, int depth) {
    int kind = chance.nextInt(depth == 0 ? 4 : 7);
    if (kind >= 4) {
      Predicate first = random(chance, depth - 1);
      return switch (kind) {
        case 4 -> predicate("AND", first, random(chance, depth - 1));
        case 5 -> predicate("OR", first, random(chance, depth - 1));
        default -> predicate("NOT", first);
      };
    }
    String field = FIELDS[chance.nextInt(FIELDS.length)];
    DataType type = MAPPING.column(field).type().sparkType();
    if (kind == 3) {
      return predicate(chance.nextBoolean() ? "IS_NULL" : "IS_NOT_NULL", column(field));
    }
    if (kind == 2) {
      List<Expression> children = new ArrayList<>(List.of(column(field)));
      for (int i = 0; i <= chance.nextInt(3); i++) {
        children.add(literal(value(chance, field), type));
      }
      return new Predicate("IN", children.toArray(Expression[]::new));
    }
    boolean text = type.equals(DataTypes.StringType) && chance.nextInt(4) == 0;
    String name = text ? "STARTS_WITH" : COMPARISONS[chance.nextInt(COMPARISONS.length)];
    return predicate(name, column(field), literal(value(chance, field), type));
  }

  /** True, false, or null for unknown, as Spark has it. */
  private static Boolean sql(Predicate predicate, Object[] row) {
    Expression[] children = predicate.children();
    return switch (predicate.name()) {
      case "AND" -> and(sql((Predicate) children[0], row), sql((Predicate) children[1], row));
      case "OR" ->
          not(and(not(sql((Predicate) children[0], row)), not(sql((Predicate) children[1], row))));
      case "NOT" -> not(sql((Predicate) children[0], row));
      case "IS_NULL" -> of(children[0], row) == null;
      case "IS_NOT_NULL" -> of(children[0], row) != null;
      case "IN" -> in(children, row);
      case "<=>" -> {
        Object a = of(children[0], row);
        Object b = of(children[1], row);
        yield (a == null || b == null) ? a == b : compare(a, b) == 0;
      }
      default -> compared(predicate.name(), of(children[0], row), of(children[1], row));
    };
  }

  private static Boolean and(Boolean a, Boolean b) {
    if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
      return false;
    }
    return (a == null || b == null) ? null : (Boolean) true;
  }

  private static Boolean not(Boolean a) {
    return a == null ? null : (Boolean) !a;
  }

  private static Boolean in(Expression[] children, Object[] row) {
    Boolean any = false;
    for (int i = 1; i < children.length; i++) {
      any = not(and(not(any), not(compared("=", of(children[0], row), of(children[i], row)))));
    }
    return any;
  }

  private static Boolean compared(String name, Object a, Object b) {
    if (a == null || b == null) {
      return null;
    }
    return switch (name) {
      case "=" -> compare(a, b) == 0;
      case "<>" -> compare(a, b) != 0;
      case "<" -> compare(a, b) < 0;
      case "<=" -> compare(a, b) <= 0;
      case ">" -> compare(a, b) > 0;
      case ">=" -> compare(a, b) >= 0;
      default -> ((UTF8String) a).startsWith((UTF8String) b);
    };
  }

  /** NaN is equal to itself and above all, and 0.0 is -0.0. */
  private static int compare(Object a, Object b) {
    if (a instanceof Double x && b instanceof Double y) {
      return Double.compare(x == 0 ? 0.0 : x, y == 0 ? 0.0 : y);
    }
    return a instanceof UTF8String text ? text.compareTo((UTF8String) b) : compareNumbers(a, b);
  }

  private static int compareNumbers(Object a, Object b) {
    return a instanceof Boolean x
        ? Boolean.compare(x, (Boolean) b)
        : Long.compare(((Number) a).longValue(), ((Number) b).longValue());
  }

  private static Object of(Expression expression, Object[] row) {
    if (expression instanceof LiteralValue<?> literal) {
      return literal.value();
    }
    String name = ((NamedReference) expression).fieldNames()[0];
    return row[List.of(FIELDS).indexOf(name)];
  }

  /** Whether a row passes, as a region of HBase asks a filter. */
  private static boolean passes(Condition condition, Object[] row) throws IOException {
    byte[] key = Values.encode(MAPPING.key().type(), row[0]);
    boolean inRange =
        condition.keys().ranges().stream()
            .anyMatch(
                r ->
                    Bytes.compareTo(r.start(), key) <= 0
                        && (r.stop() == null || Bytes.compareTo(key, r.stop()) < 0));
    Filter filter = condition.filter();
    if (!inRange || filter == null) {
      return inRange;
    }
    filter.reset();
    for (Cell cell : cells(key, row)) {
      if (filter.filterCell(cell) == Filter.ReturnCode.NEXT_ROW) {
        break;
      }
    }
    return !filter.filterRow();
  }

  private static List<Cell> cells(byte[] key, Object[] row) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 1; i < FIELDS.length; i++) {
      if (row[i] != null) {
        Column column = MAPPING.column(FIELDS[i]);
        byte[] value = Values.encode(column.type(), row[i]);
        cells.add(new KeyValue(key, column.family(), column.qualifier(), 1, value));
      }
    }
    cells.sort(
        (a, b) ->
            Bytes.compareTo(
                a.getQualifierArray(),
                a.getQualifierOffset(),
                a.getQualifierLength(),
                b.getQualifierArray(),
                b.getQualifierOffset(),
                b.getQualifierLength()));
    return cells;
  }

  @Test
  void whatIsPushedIsExact() throws IOException {
    long seed = System.nanoTime();
    Random chance = new Random(seed);
    int pushed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Predicate predicate = random(chance, 2);
      Condition condition = PUSH_DOWN.of(predicate);
      if (condition == null) {
        continue;
      }
      pushed++;
      for (int i = 0; i < 20; i++) {
        Object[] row = new Object[FIELDS.length];
        for (int field = 0; field < row.length; field++) {
          row[field] = stored(FIELDS[field], value(chance, FIELDS[field]));
        }
        boolean wanted = Boolean.TRUE.equals(sql(predicate, row));
        String why = "seed " + seed + ": " + predicate + " of " + List.of(shown(row));
        assertEquals(wanted, passes(condition, row), why);
        if (wanted) {
          assertTrue(hasPresent(condition, row), why);
        }
      }
    }
    assertTrue(pushed > ROUNDS / 3, pushed + " were pushed, seed " + seed);
  }

  /** A table has milliseconds, and a literal may be between two. */
  private static Object stored(String field, Object value) {
    boolean isTime = value != null && field.equals("t");
    return isTime ? Values.micros(Math.floorDiv((Long) value, MICROS_PER_MILLI)) : value;
  }

  private static String shown(Object[] row) {
    return java.util.Arrays.toString(row);
  }

  private static boolean hasPresent(Condition condition, Object[] row) {
    return condition.present().stream()
        .allMatch(name -> row[List.of(FIELDS).indexOf(name)] != null);
  }

  @Test
  void keysBecomeRanges() {
    Condition range =
        PUSH_DOWN.of(
            predicate(
                "AND",
                predicate(">=", column("k"), text("UA")),
                predicate("<", column("k"), text("UB"))));
    assertEquals("[UA, UB)", range.keys().toString());
    assertNull(range.filter());
    assertEquals(
        "[UA, UB)",
        PUSH_DOWN.of(predicate("STARTS_WITH", column("k"), text("UA"))).keys().toString());
    assertEquals(
        "{a} {b}",
        PUSH_DOWN.of(predicate("IN", column("k"), text("b"), text("a"))).keys().toString());
    assertTrue(PUSH_DOWN.of(predicate("IS_NOT_NULL", column("k"))).keys().isAll());
  }

  private static Expression text(String text) {
    return literal(UTF8String.fromString(text), DataTypes.StringType);
  }

  @Test
  void whatBytesDoNotSayStaysSparks() {
    Expression number = literal(1L, DataTypes.LongType);
    assertNull(PUSH_DOWN.of(predicate("=", column("n"), number)), "007 is 7");
    assertNull(PUSH_DOWN.of(predicate("<", column("d"), literal(1.0, DataTypes.DoubleType))));
    assertNull(PUSH_DOWN.of(predicate("=", column("d"), literal(0.0, DataTypes.DoubleType))));
    assertNotNull(PUSH_DOWN.of(predicate("=", column("d"), literal(1.5, DataTypes.DoubleType))));
    assertNull(PUSH_DOWN.of(predicate("CONTAINS", column("s"), text("a"))));
    assertNull(PUSH_DOWN.of(predicate("=", column("i"), number)), "of another type");
    assertNull(PUSH_DOWN.of(predicate("=", column("i"), column("i"))));
    assertNull(PUSH_DOWN.of(predicate("=", column("nothing"), number)));
    assertNull(
        PUSH_DOWN.of(
            predicate(
                "OR",
                predicate("=", column("k"), text("a")),
                predicate("=", column("s"), text("a")))));
  }

  @Test
  void aScanKnowsWhichColumnsItsRowsHave() {
    Predicate s = predicate("=", column("s"), text("a"));
    Predicate i = predicate("=", column("i"), literal(1, DataTypes.IntegerType));
    assertEquals(Set.of("s", "i"), PUSH_DOWN.of(predicate("AND", s, i)).present());
    assertEquals(Set.of(), PUSH_DOWN.of(predicate("OR", s, i)).present());
    assertEquals(Set.of("s", "i"), PUSH_DOWN.of(predicate("OR", s, i)).looked());
    assertEquals(Set.of(), PUSH_DOWN.of(predicate("IS_NULL", column("s"))).present());
    assertFalse(MAPPING.fields().stream().map(Field::name).toList().isEmpty());
  }
}
