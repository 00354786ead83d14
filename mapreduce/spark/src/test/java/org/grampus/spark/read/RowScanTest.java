package org.grampus.spark.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.grampus.spark.filter.Condition;
import org.grampus.spark.filter.PushDown;
import org.grampus.spark.mapping.Mapping;
import org.junit.jupiter.api.Test;

/** A scan asks for what decides which rows there are, and for no more. */
class RowScanTest {
  private static final Mapping MAPPING =
      Mapping.parse(":key=k:string,f:a=a:string,f:b=b:string,f:c=c:string");

  private static final StructType B = new StructType().add("b", DataTypes.StringType);

  private static Condition condition(String name, String column, String... values) {
    NamedReference reference = () -> new String[] {column};
    List<Expression> children = new ArrayList<>();
    children.add(reference);
    for (String value : values) {
      children.add(new LiteralValue<>(UTF8String.fromString(value), DataTypes.StringType));
    }
    return new PushDown(MAPPING).of(new Predicate(name, children.toArray(Expression[]::new)));
  }

  private static Scan scan(Condition condition, String present) throws IOException {
    return RowScan.of(new Scan(), MAPPING, MAPPING.of(B), condition, present);
  }

  private static String columns(Scan scan) {
    StringBuilder names = new StringBuilder();
    scan.getFamilyMap()
        .values()
        .forEach(qualifiers -> qualifiers.forEach(q -> names.append(Bytes.toString(q))));
    return names.toString();
  }

  @Test
  void withoutAConditionAnyColumnMakesARow() throws IOException {
    assertEquals("abc", columns(scan(Condition.ALL, null)));
    assertEquals("abc", columns(scan(condition("IS_NULL", "b"), null)));
    assertEquals("abc", columns(scan(condition("=", "k", "x"), null)));
  }

  @Test
  void aColumnThatAllWantedRowsHaveIsEnough() throws IOException {
    Scan scan = scan(condition("=", "c", "x"), null);
    assertEquals("bc", columns(scan));
    assertInstanceOf(SingleColumnValueFilter.class, scan.getFilter());
    assertEquals("b", columns(scan(condition("IS_NOT_NULL", "b"), null)));
    assertEquals("ab", columns(scan(Condition.ALL, "a")));
    assertEquals("bc", columns(scan(condition("=", "c", "x"), "a")));
  }

  @Test
  void keysAreTheScansRows() throws IOException {
    Scan one = scan(condition("=", "k", "x"), "a");
    assertEquals("x", Bytes.toString(one.getStartRow()));
    assertEquals("x\0", Bytes.toString(one.getStopRow()));
    assertNull(one.getFilter());
    Scan two = scan(condition("IN", "k", "y", "x"), "a");
    assertEquals("x", Bytes.toString(two.getStartRow()));
    assertEquals("y\0", Bytes.toString(two.getStopRow()));
    assertEquals(
        2, assertInstanceOf(MultiRowRangeFilter.class, two.getFilter()).getRowRanges().size());
    Scan open = scan(condition("<>", "k", "x"), "a");
    assertEquals(0, open.getStartRow().length + open.getStopRow().length);
  }
}
