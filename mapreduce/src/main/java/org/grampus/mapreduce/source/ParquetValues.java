package org.grampus.mapreduce.source;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/** Values of Parquet as values of records. */
final class ParquetValues {
  private ParquetValues() {}

  static List<String> names(GroupType schema) {
    return schema.getFields().stream().map(Type::getName).toList();
  }

  /** The values of a row. */
  static Object[] of(Group row, GroupType schema) {
    Object[] values = new Object[schema.getFieldCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(row, i, schema.getType(i));
    }
    return values;
  }

  private static Object value(Group row, int field, Type type) {
    if (row.getFieldRepetitionCount(field) == 0) {
      return null;
    }
    if (type.isRepetition(Type.Repetition.REPEATED)) {
      throw new UnsupportedTypeException(type.getName(), type);
    }
    return type.isPrimitive()
        ? primitive(row, field, type.asPrimitiveType())
        : list(row.getGroup(field, 0), type.asGroupType());
  }

  /** A list of groups in the form that the specification wants, as of a mapping of all cells. */
  private static List<Map<String, Object>> list(Group list, GroupType type) {
    boolean listed =
        type.getLogicalTypeAnnotation() instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation
            && !type.getType(0).isPrimitive()
            && !type.getType(0).asGroupType().getType(0).isPrimitive();
    if (!listed) {
      throw new UnsupportedTypeException(type.getName(), type);
    }
    GroupType element = type.getType(0).asGroupType().getType(0).asGroupType();
    List<Map<String, Object>> elements = new ArrayList<>();
    for (int i = 0; i < list.getFieldRepetitionCount(0); i++) {
      elements.add(map(list.getGroup(0, i).getGroup(0, 0), element));
    }
    return elements;
  }

  private static Map<String, Object> map(Group group, GroupType type) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < type.getFieldCount(); i++) {
      map.put(type.getFieldName(i), value(group, i, type.getType(i)));
    }
    return map;
  }

  private static Object primitive(Group row, int field, PrimitiveType type) {
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> row.getBoolean(field, 0);
      case INT32 -> integer(row.getInteger(field, 0), type);
      case INT64 -> integer(row.getLong(field, 0), type);
      case FLOAT -> row.getFloat(field, 0);
      case DOUBLE -> row.getDouble(field, 0);
      case BINARY, FIXED_LEN_BYTE_ARRAY -> bytes(row.getBinary(field, 0), type);
      case INT96 -> throw new UnsupportedTypeException(type.getName(), type);
    };
  }

  private static Object integer(long value, PrimitiveType type) {
    LogicalTypeAnnotation meaning = type.getLogicalTypeAnnotation();
    if (meaning == null) {
      return value;
    }
    if (meaning instanceof DecimalLogicalTypeAnnotation decimal) {
      return BigDecimal.valueOf(value, decimal.getScale());
    }
    if (meaning instanceof DateLogicalTypeAnnotation) {
      return utf8(LocalDate.ofEpochDay(value).toString());
    }
    if (meaning instanceof TimestampLogicalTypeAnnotation timestamp) {
      return timestamp.isAdjustedToUTC()
          ? Timestamps.of(value, perSecond(timestamp))
          : Timestamps.local(value, perSecond(timestamp));
    }
    if (meaning instanceof TimeLogicalTypeAnnotation) {
      throw new UnsupportedTypeException(type.getName(), type);
    }
    boolean signed = !(meaning instanceof IntLogicalTypeAnnotation number) || number.isSigned();
    return signed ? value : unsigned(value, type);
  }

  private static Object unsigned(long value, PrimitiveType type) {
    if (type.getPrimitiveTypeName() == PrimitiveTypeName.INT32) {
      return Integer.toUnsignedLong((int) value);
    }
    return value >= 0 ? value : new BigDecimal(Long.toUnsignedString(value));
  }

  private static long perSecond(TimestampLogicalTypeAnnotation timestamp) {
    return switch (timestamp.getUnit()) {
      case MILLIS -> 1_000;
      case MICROS -> 1_000_000;
      case NANOS -> 1_000_000_000;
    };
  }

  private static Object bytes(Binary value, PrimitiveType type) {
    if (type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal) {
      return new BigDecimal(new BigInteger(value.getBytes()), decimal.getScale());
    }
    return value.getBytes();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
