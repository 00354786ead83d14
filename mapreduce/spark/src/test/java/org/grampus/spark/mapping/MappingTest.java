package org.grampus.spark.mapping;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Mappings are read as the engine reads them. */
class MappingTest {
  @Test
  void eachPartIsAColumn() {
    Mapping mapping =
        Mapping.parse(
            " f:a , f:b=b:long(text)+ts, :key=id:string, g:=g, f:\\x2C\\x3D=x:decimal(9, 6) ,h:"
                + "c:d");
    assertEquals("id", mapping.key().name());
    assertEquals(
        List.of("id", "f_a", "b", "b_ts", "g", "x", "h_c\\x3Ad"),
        mapping.fields().stream().map(Field::name).toList());
    assertArrayEquals(new byte[] {',', '='}, mapping.columns().get(3).qualifier());
    assertArrayEquals(new byte[0], mapping.columns().get(2).qualifier());
    StructType schema = mapping.schema();
    assertEquals(DataTypes.BinaryType, schema.apply("f_a").dataType());
    assertEquals(DataTypes.TimestampType, schema.apply("b_ts").dataType());
    assertEquals(DataTypes.createDecimalType(9, 6), schema.apply("x").dataType());
    assertEquals("rowkey", Mapping.parse("f:q").key().name());
    assertEquals(1, Mapping.parse(":key").fields().size());
  }

  @Test
  void bytesThatAreNoTextAreEscapedInNames() {
    for (String qualifier :
        List.of("ä\\xFF", "\\xE2\\x82€\\xF0\\x9Fa\\xED\\xA0\\x80", "\\xC3", "\\x80ü")) {
      Mapping mapping = Mapping.parse("f:" + qualifier);
      assertEquals("f_" + qualifier, mapping.columns().get(0).name());
    }
  }

  @Test
  void theTextOfAMappingIsTheSameMapping() {
    for (String text :
        List.of("f:a", ":key=k:int,f:\\x00\\xFF=z:string(replace)+ts,f:ü=u:decimal(3,0)")) {
      String again = Mapping.parse(text).toString();
      assertEquals(again, Mapping.parse(again).toString());
      assertEquals(Mapping.parse(text).schema(), Mapping.parse(again).schema());
    }
  }

  @Test
  void everyTypeHasAName() {
    Stream.of(Kind.values())
        .filter(kind -> kind != Kind.DECIMAL)
        .forEach(kind -> assertEquals(ColumnType.of(kind), ColumnType.parse(kind.text)));
    assertEquals(new ColumnType(Kind.DECIMAL, 5, 0), ColumnType.parse("decimal(5)"));
  }

  @Test
  void whatCannotBeIsNamed() {
    refused("f", "no colon");
    refused("f:a,", "there is no column");
    refused("f:a=x:number", "there is no type \"number\"");
    refused("f:a=x:decimal(39,1)", "1 to 38");
    refused("f:a=x:decimal(3,4)", "1 to 38");
    refused("*", "all cells");
    refused(":key=a,:key=b", "twice");
    refused(":key=a:bytes+ts", "no timestamp");
    refused(":nokey,f:a", "leave :nokey out");
    refused("f:a=x,f:b=x", "two fields are called x");
    refused("f:a=x:bytes+ts,f:b=x_ts", "two fields are called x_ts");
    refused("f:a=x,f:a=y", "there is twice the column f:a");
    refused("f:\\y", "a backslash");
    refused(":a", "the family is empty");
    refused("f:a= ", "no name");
    refused("f:a=x+ts", "behind a type");
  }

  private static void refused(String text, String sentence) {
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> Mapping.parse(text), text);
    assertTrue(error.getMessage().contains(sentence), error.getMessage());
  }

  @Test
  void someFieldsNeedSomeColumns() {
    Mapping mapping = Mapping.parse(":key=k,f:a=a:int+ts,f:b=b:int+ts,f:c=c:int");
    StructType some =
        new StructType().add("c", DataTypes.IntegerType).add("b_ts", DataTypes.TimestampType);
    assertEquals(
        List.of("b", "b_ts", "c"), mapping.of(some).fields().stream().map(Field::name).toList());
    assertTrue(mapping.of(some).toString().startsWith(":nokey,f:b="), mapping.of(some).toString());
    StructType keyed = some.add("k", DataTypes.BinaryType);
    assertEquals(mapping.key(), mapping.of(keyed).key());
    assertEquals(1, mapping.of(new StructType()).fields().size());
    Mapping typed = Mapping.parse(":key=k:long,f:a");
    assertEquals(ColumnType.BYTES, typed.of(new StructType()).key().type());
    assertNull(mapping.column("b_ts"));
    assertEquals("a", mapping.column("a").name());
  }

  @Test
  void theConnectorsMappingIsUnderstood() {
    Mapping mapping = ConnectorMapping.parse("id STRING :key, temp DOUBLE f:t, n BIGINT f:n");
    assertEquals(":key=id:string,f:t=temp:double,f:n=n:long", mapping.toString());
    for (String wrong : List.of("temp DOUBLE f:t", "id STRING :key, d DATE f:d", "id STRING")) {
      assertThrows(IllegalArgumentException.class, () -> ConnectorMapping.parse(wrong));
    }
  }
}
