package org.grampus.mapreduce.source;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/** Decodes UTF-8, and nothing else. One thread. */
final class Utf8 {
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();

  /**
   * The text of bytes.
   *
   * @throws CharacterCodingException when they are no UTF-8
   */
  String text(byte[] bytes, int offset, int length) throws CharacterCodingException {
    return decoder.decode(ByteBuffer.wrap(bytes, offset, length)).toString();
  }
}
