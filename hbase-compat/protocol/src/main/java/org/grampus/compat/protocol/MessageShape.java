package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.Descriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.EnumValueDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/**
 * What a message's fields cost on the heap, so that the size of a message can be known before it is
 * parsed: an empty submessage is two bytes on the wire and some sixty as an object, an unknown
 * field two and some two hundred. All costs are upper estimates for a 64-bit JVM with compressed
 * references, the references that lists keep included. Any thread.
 */
public final class MessageShape {
  /** Deepest nesting that is looked at; the parser refuses what is deeper. */
  private static final int MAX_DEPTH = 100;

  private static final int OBJECT_BYTES = 96;
  private static final int FIELD_BYTES = 8;
  private static final int SLOT_BYTES = 12;
  private static final int NUMBER_BYTES = 24;
  private static final int PACKED_BYTES_PER_BYTE = 16;
  private static final int STRING_BYTES = 64;
  private static final int UNKNOWN_BYTES = 320;
  private static final int OPAQUE_BYTES = 160;
  private static final int MAX_FIELD_NUMBER = 1 << 10;
  private static final int NO_WIRE_TYPE = -1;

  /** Half for a group's beginning and half for its end, so that one byte never costs all of it. */
  private static final int GROUP_TAG_BYTES = UNKNOWN_BYTES / 2;

  /** Costs per byte of any message at most, its copy not included. */
  private static final int MAX_BYTES_PER_BYTE = UNKNOWN_BYTES / 2;

  /** Fields of bytes that hold a message, which is parsed later. */
  private static final Set<String> MESSAGES_IN_BYTES =
      Set.of(
          "serialized_filter",
          "serialized_comparator",
          "request", // of a coprocessor's service
          "log_message",
          "proc_data");

  private static final ConcurrentHashMap<Descriptor, MessageShape> SHAPES =
      new ConcurrentHashMap<>();

  private static final MessageShape UNKNOWN = new MessageShape(0, new FieldDescriptor[0]);
  private static final MessageShape OPAQUE = new MessageShape(0, new FieldDescriptor[0]);

  private final int objectBytes;
  private final FieldDescriptor[] fields;
  private final MessageShape[] shapes;

  /** Kinds of the fields by number: requests are walked one by one, and descriptors are slow. */
  private final Kind[] kinds;

  /** By number. */
  private final long[] enumBits;

  private MessageShape(int objectBytes, FieldDescriptor[] fields) {
    this.objectBytes = objectBytes;
    this.fields = fields;
    this.shapes = new MessageShape[fields.length];
    this.kinds = Arrays.stream(fields).map(Kind::of).toArray(Kind[]::new);
    this.enumBits = Arrays.stream(fields).mapToLong(MessageShape::enumBits).toArray();
  }

  /** What decides on a field's costs. */
  private enum Kind {
    UNKNOWN,
    VARINT(WireFormat.WIRETYPE_VARINT, 0),
    VARINTS(WireFormat.WIRETYPE_VARINT, NUMBER_BYTES),
    ENUM(WireFormat.WIRETYPE_VARINT, 0),
    ENUMS(WireFormat.WIRETYPE_VARINT, NUMBER_BYTES),
    FIXED64(WireFormat.WIRETYPE_FIXED64, 0),
    FIXED64S(WireFormat.WIRETYPE_FIXED64, NUMBER_BYTES),
    FIXED32(WireFormat.WIRETYPE_FIXED32, 0),
    FIXED32S(WireFormat.WIRETYPE_FIXED32, NUMBER_BYTES),
    STRING,
    BYTES,
    MESSAGE_IN_BYTES,
    MESSAGE,
    GROUP;

    /** The wire type that the parser accepts of a number; another one becomes an unknown field. */
    private final int wireType;

    private final int numberBytes;

    Kind() {
      this(NO_WIRE_TYPE, UNKNOWN_BYTES);
    }

    Kind(int wireType, int numberBytes) {
      this.wireType = wireType;
      this.numberBytes = numberBytes;
    }

    /** Costs of a number of a wire type. */
    int numberBytes(int type) {
      return type == wireType ? numberBytes : UNKNOWN_BYTES;
    }

    /** The kind of a field, or of none. */
    static Kind of(FieldDescriptor field) {
      if (field == null) {
        return UNKNOWN;
      }
      boolean repeated = field.isRepeated();
      return switch (field.getType()) {
        case MESSAGE -> MESSAGE;
        case STRING -> STRING;
        case BYTES -> MESSAGES_IN_BYTES.contains(field.getName()) ? MESSAGE_IN_BYTES : BYTES;
        case GROUP -> GROUP;
        case ENUM -> repeated ? ENUMS : ENUM;
        case FIXED64, SFIXED64, DOUBLE -> repeated ? FIXED64S : FIXED64;
        case FIXED32, SFIXED32, FLOAT -> repeated ? FIXED32S : FIXED32;
        case INT32, INT64, UINT32, UINT64, SINT32, SINT64, BOOL -> repeated ? VARINTS : VARINT;
      };
    }
  }

  /**
   * A bit for each known value of a field's enum. The parser keeps unknown values as unknown
   * fields; known ones outside of 0 to 63 are counted like these.
   */
  private static long enumBits(FieldDescriptor field) {
    if (field == null || field.getType() != FieldDescriptor.Type.ENUM) {
      return 0;
    }
    return field.getEnumType().getValues().stream()
        .mapToInt(EnumValueDescriptor::getNumber)
        .filter(MessageShape::hasBit)
        .mapToLong(number -> 1L << number)
        .reduce(0, (a, b) -> a | b);
  }

  private static boolean hasBit(int enumValue) {
    return enumValue >= 0 && enumValue < Long.SIZE;
  }

  /** Costs of a varint. */
  private int varintBytes(int fieldNumber, int value) {
    Kind kind = kind(fieldNumber);
    boolean isEnum = kind == Kind.ENUM || kind == Kind.ENUMS;
    if (isEnum && !(hasBit(value) && (enumBits[fieldNumber] >>> value & 1) != 0)) {
      return UNKNOWN_BYTES;
    }
    return kind.numberBytes(WireFormat.WIRETYPE_VARINT);
  }

  private Kind kind(int number) {
    return number < kinds.length ? kinds[number] : Kind.UNKNOWN;
  }

  /** The shape of a type. */
  public static MessageShape of(Descriptor type) {
    MessageShape shape = SHAPES.get(type);
    return shape != null ? shape : SHAPES.computeIfAbsent(type, MessageShape::read);
  }

  private static MessageShape read(Descriptor type) {
    int last = 0;
    for (FieldDescriptor field : type.getFields()) {
      if (field.getNumber() < MAX_FIELD_NUMBER) {
        last = Math.max(last, field.getNumber());
      }
    }
    FieldDescriptor[] fields = new FieldDescriptor[last + 1];
    for (FieldDescriptor field : type.getFields()) {
      if (field.getNumber() < MAX_FIELD_NUMBER) {
        fields[field.getNumber()] = field;
      }
    }
    return new MessageShape(OBJECT_BYTES + FIELD_BYTES * type.getFields().size(), fields);
  }

  /** What any message of this length takes at most. */
  public static long bound(int length) {
    return OBJECT_BYTES * 4L + (long) length * (MAX_BYTES_PER_BYTE + 1);
  }

  /**
   * Estimates what a message takes once it is parsed, its copy of the bytes included. Varints are
   * cut as the parser cuts them. Where the bytes are no message the walk ends, as the parser does;
   * what follows counts as much as any bytes can, so that a difference between the two is no gap.
   *
   * @param limit an estimate above this may be returned as soon as it is reached
   */
  public long estimate(ByteBuf in, int index, int length, long limit) {
    Walk walk = new Walk(in.nioBuffer(index, length), limit - length);
    if (!walk.message(this, length, 0, 0) && walk.total <= walk.limit) {
      walk.addUnseen(length);
    }
    return walk.total + length;
  }

  /** The shape of a field's message; a race only looks it up twice. */
  private MessageShape child(int number) {
    MessageShape child = shapes[number];
    if (child == null) {
      child = of(fields[number].getMessageType());
      shapes[number] = child;
    }
    return child;
  }

  /** One pass over the bytes of a message. */
  private static final class Walk {
    private static final int MAX_VARINT_BYTES = 10;

    /** Bytes of a varint that have a part in a tag or length; those behind them are ignored. */
    private static final int MAX_VARINT32_BYTES = 5;

    private final ByteBuffer in;
    private final long limit;
    private int position;
    private long total;

    Walk(ByteBuffer in, long limit) {
      this.in = in;
      this.limit = limit;
    }

    /**
     * Walks to the end of a message, or of a group when its number is not 0; false when the bytes
     * are no message or the limit is reached.
     */
    boolean message(MessageShape shape, int end, int depth, int group) {
      total += shape.objectBytes;
      if (depth > MAX_DEPTH) {
        addUnseen(end); // a message in bytes is parsed by itself, and begins at depth 0 again
        return false;
      }
      while (position < end) {
        int tag = varint32(end);
        int number = tag >>> 3;
        int wire = tag & 7;
        if (position > end || number == 0 || total > limit) {
          return false;
        }
        if (wire == WireFormat.WIRETYPE_END_GROUP) {
          total += GROUP_TAG_BYTES;
          return number == group;
        }
        if (!field(shape, number, wire, end, depth)) {
          return false;
        }
      }
      return group == 0;
    }

    private boolean field(MessageShape shape, int number, int wire, int end, int depth) {
      return switch (wire) {
        case WireFormat.WIRETYPE_LENGTH_DELIMITED -> delimited(shape, number, end, depth);
        case WireFormat.WIRETYPE_VARINT -> {
          int value = varint32(end);
          total += shape == OPAQUE ? OPAQUE_BYTES : shape.varintBytes(number, value);
          yield position <= end;
        }
        case WireFormat.WIRETYPE_FIXED64, WireFormat.WIRETYPE_FIXED32 -> {
          total += shape == OPAQUE ? OPAQUE_BYTES : shape.kind(number).numberBytes(wire);
          yield skip(wire == WireFormat.WIRETYPE_FIXED64 ? Long.BYTES : Integer.BYTES, end);
        }
        case WireFormat.WIRETYPE_START_GROUP -> {
          total += shape == OPAQUE ? OPAQUE_BYTES : GROUP_TAG_BYTES;
          yield message(shape == OPAQUE ? OPAQUE : UNKNOWN, end, depth + 1, number);
        }
        default -> false;
      };
    }

    private boolean delimited(MessageShape shape, int number, int end, int depth) {
      int length = varint32(end);
      if (length < 0 || length > end - position) {
        return false;
      }
      int fieldEnd = position + length;
      if (shape == OPAQUE) {
        opaque(length, fieldEnd, depth);
      } else {
        switch (shape.kind(number)) {
          case MESSAGE -> {
            total += SLOT_BYTES;
            if (!message(shape.child(number), fieldEnd, depth + 1, 0)) {
              return false;
            }
          }
          case STRING -> total += STRING_BYTES + 2L * length;
          case BYTES -> total += STRING_BYTES;
          case MESSAGE_IN_BYTES -> {
            total += STRING_BYTES + length;
            if (!message(OPAQUE, fieldEnd, depth + 1, 0)) {
              addUnseen(fieldEnd);
            }
          }
          case UNKNOWN -> total += UNKNOWN_BYTES;
          default -> total += UNKNOWN_BYTES + (long) PACKED_BYTES_PER_BYTE * length;
        }
      }
      position = fieldEnd;
      return total <= limit;
    }

    /** A field of unknown type: a message, or packed numbers, or a string, or bytes. */
    private void opaque(int length, int end, int depth) {
      total += OPAQUE_BYTES;
      long packed = total + (long) PACKED_BYTES_PER_BYTE * length;
      message(OPAQUE, end, depth + 1, 0);
      total = Math.max(total, packed);
    }

    /** Counts everything up to an end as much as it can take at most. */
    private void addUnseen(int end) {
      total += (long) Math.max(end - position, 0) * MAX_BYTES_PER_BYTE;
      position = end;
    }

    private boolean skip(int bytes, int end) {
      position += bytes;
      return position <= end;
    }

    /** The lower 32 bits of a varint; where there is none the position is behind the end. */
    private int varint32(int end) {
      int value = 0;
      for (int i = 0; i < MAX_VARINT_BYTES; i++) {
        if (position >= end) {
          position = end + 1;
          return -1;
        }
        byte b = in.get(position++);
        if (i < MAX_VARINT32_BYTES) {
          value |= (b & 0x7f) << (7 * i);
        }
        if (b >= 0) {
          return value;
        }
      }
      position = end + 1;
      return -1;
    }
  }
}
