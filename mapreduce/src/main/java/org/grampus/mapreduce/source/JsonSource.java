package org.grampus.mapreduce.source;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * JSON, an object per line. Numbers are taken as the text that they are, so that none loses digits.
 * A column that is not there is null.
 */
final class JsonSource extends LineSource {
  private RecordShape last = new RecordShape(List.of(), false);

  private JsonSource(Lines lines) {
    super(lines);
  }

  static JsonSource open(Configuration conf, FileSplit split) throws IOException {
    return new JsonSource(Lines.open(conf, split));
  }

  @Override
  SourceRecord record(Lines at) {
    try (JsonReader reader = new JsonReader(new StringReader(at.text()))) {
      reader.setStrictness(Strictness.STRICT);
      if (reader.peek() != JsonToken.BEGIN_OBJECT) {
        return SourceRecord.bad("it is no object of JSON");
      }
      Map<String, Object> object = object(reader);
      if (reader.peek() != JsonToken.END_DOCUMENT) {
        return SourceRecord.bad("there is something behind the object");
      }
      return SourceRecord.of(shape(object), object.values().toArray());
    } catch (CharacterCodingException e) {
      return SourceRecord.bad("it is no UTF-8");
    } catch (MalformedJsonException | EOFException e) {
      return SourceRecord.bad("it is no JSON: " + firstLine(e.getMessage()));
    } catch (DuplicateName | HalfCharacter e) {
      return SourceRecord.bad(e.getMessage());
    } catch (IOException | StackOverflowError | IllegalStateException e) {
      return SourceRecord.bad("it cannot be read as JSON: " + e);
    }
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse(message);
  }

  private RecordShape shape(Map<String, Object> object) {
    List<String> names = List.copyOf(object.keySet());
    if (!names.equals(last.names())) {
      last = new RecordShape(names, false);
    }
    return last;
  }

  private static Map<String, Object> object(JsonReader reader) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    reader.beginObject();
    while (reader.hasNext()) {
      String name = text(reader.nextName());
      if (object.containsKey(name)) {
        throw new DuplicateName("it has " + name + " twice");
      }
      object.put(name, value(reader));
    }
    reader.endObject();
    return object;
  }

  private static Object value(JsonReader reader) throws IOException {
    switch (reader.peek()) {
      case NULL:
        reader.nextNull();
        return null;
      case BOOLEAN:
        return reader.nextBoolean();
      case BEGIN_OBJECT:
        return object(reader);
      case BEGIN_ARRAY:
        return array(reader);
      default:
        return text(reader.nextString());
    }
  }

  /** A text as it is: one of which half a character is escaped has no form as bytes. */
  private static String text(String text) throws HalfCharacter {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (Character.isSurrogate(unit)) {
        i++;
        if (i == text.length() || !Character.isSurrogatePair(unit, text.charAt(i))) {
          throw new HalfCharacter();
        }
      }
    }
    return text;
  }

  private static List<Object> array(JsonReader reader) throws IOException {
    List<Object> elements = new ArrayList<>();
    reader.beginArray();
    while (reader.hasNext()) {
      elements.add(value(reader));
    }
    reader.endArray();
    return elements;
  }

  private static final class HalfCharacter extends IOException {
    private static final long serialVersionUID = 1;

    HalfCharacter() {
      super("it has half of a surrogate pair, which is no character");
    }
  }

  private static final class DuplicateName extends IOException {
    private static final long serialVersionUID = 1;

    DuplicateName(String message) {
      super(message);
    }
  }
}
