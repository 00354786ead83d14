package org.grampus.mapreduce.source;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.util.Utf8;

/** Values of Avro as values of records. */
final class AvroValues {
  private static final String LOGICAL_TYPE = "logicalType";
  private static final String DECIMAL = "decimal";

  /** A number with more digits behind the point is a mistake of the schema. */
  private static final int SCALE_MAX = 10_000;

  private final List<Field> fields;
  private final RecordShape shape;

  /**
   * A field.
   *
   * @param type without the null that may be instead
   * @param scale of a decimal, as the schema has it; 0 for others
   */
  private record Field(Schema.Field field, Schema type, String meaning, int scale) {
    static Field of(Schema.Field field) {
      Schema type = withoutNull(field);
      String meaning = type.getProp(LOGICAL_TYPE);
      return new Field(
          field, type, meaning == null ? "" : meaning, DECIMAL.equals(meaning) ? scale(type) : 0);
    }

    private static int scale(Schema type) {
      // the library knows only those attributes of a schema that are texts
      JsonObject schema = JsonParser.parseString(type.toString()).getAsJsonObject();
      return schema.has("scale") ? schema.get("scale").getAsInt() : 0;
    }
  }

  AvroValues(Schema record) {
    fields = record.getFields().stream().map(Field::of).toList();
    shape = new RecordShape(record.getFields().stream().map(Schema.Field::name).toList(), true);
  }

  RecordShape shape() {
    return shape;
  }

  private static Schema withoutNull(Schema.Field field) {
    Schema schema = field.schema();
    if (schema.getType() != Schema.Type.UNION) {
      return schema;
    }
    List<Schema> types =
        schema.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).toList();
    return types.size() == 1 ? types.get(0) : schema;
  }

  /** The values of a record. */
  Object[] of(GenericRecord record) {
    Object[] values = new Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      Object value = record.get(i);
      values[i] = value == null ? null : value(value, fields.get(i));
    }
    return values;
  }

  private static Object value(Object value, Field field) {
    return switch (field.type().getType()) {
      case BOOLEAN, FLOAT, DOUBLE -> value;
      case INT -> integer((Integer) value, field);
      case LONG -> integer((Long) value, field);
      case STRING -> text(value);
      case ENUM -> value.toString().getBytes(StandardCharsets.UTF_8);
      case BYTES -> bytes(bytes((ByteBuffer) value), field);
      case FIXED -> bytes(((GenericFixed) value).bytes().clone(), field);
      case ARRAY -> list((List<?>) value, field);
      case NULL, UNION, MAP, RECORD -> throw unsupported(field);
    };
  }

  private static byte[] text(Object value) {
    if (value instanceof Utf8 utf8) {
      return Arrays.copyOf(utf8.getBytes(), utf8.getByteLength());
    }
    return value.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static Object integer(long value, Field field) {
    return switch (field.meaning()) {
      case "timestamp-millis" -> Timestamps.of(value, 1_000);
      case "timestamp-micros" -> Timestamps.of(value, 1_000_000);
      case "timestamp-nanos" -> Timestamps.of(value, 1_000_000_000);
      case "local-timestamp-millis" -> Timestamps.local(value, 1_000);
      case "local-timestamp-micros" -> Timestamps.local(value, 1_000_000);
      case "local-timestamp-nanos" -> Timestamps.local(value, 1_000_000_000);
      case "date" -> LocalDate.ofEpochDay(value).toString().getBytes(StandardCharsets.UTF_8);
      case "time-millis", "time-micros" -> throw unsupported(field);
      default -> value;
    };
  }

  private static Object bytes(byte[] value, Field field) {
    if (!field.meaning().equals(DECIMAL)) {
      return value;
    }
    if (field.scale() < 0 || field.scale() > SCALE_MAX) {
      throw unsupported(field);
    }
    return new BigDecimal(new BigInteger(value), field.scale());
  }

  /** An array of records, as of a mapping of all cells. */
  private static List<Map<String, Object>> list(List<?> elements, Field field) {
    Schema element = field.type().getElementType();
    if (element.getType() != Schema.Type.RECORD) {
      throw unsupported(field);
    }
    AvroValues values = new AvroValues(element);
    List<Map<String, Object>> list = new ArrayList<>();
    for (Object each : elements) {
      Object[] row = values.of((GenericRecord) each);
      Map<String, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < row.length; i++) {
        map.put(values.shape.names().get(i), row[i]);
      }
      list.add(map);
    }
    return list;
  }

  private static UnsupportedTypeException unsupported(Field field) {
    return new UnsupportedTypeException(field.field().name(), field.type());
  }
}
