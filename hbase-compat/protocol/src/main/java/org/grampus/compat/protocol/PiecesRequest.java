package org.grampus.compat.protocol;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;

/**
 * {@code PiecesRequest} of GrampusSplitService.proto.
 *
 * @param pieceBytes about how many bytes a piece is to have; 0 when the message does not say
 */
public record PiecesRequest(long pieceBytes) {
  static final int PIECE_BYTES = 1;

  private static final int PIECE_BYTES_TAG = PIECE_BYTES << 3;

  /**
   * Reads a message. A number that Java's long does not hold is as large as it may be.
   *
   * @throws IOException when it is none
   */
  public static PiecesRequest parse(ByteString bytes) throws IOException {
    long pieceBytes = 0;
    CodedInputStream in = bytes.newCodedInput();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == PIECE_BYTES_TAG) {
        pieceBytes = in.readUInt64();
      } else {
        UnknownField.skip(in, tag);
      }
    }
    return new PiecesRequest(pieceBytes < 0 ? Long.MAX_VALUE : pieceBytes);
  }

  /** Writes the message. */
  public ByteString toByteString() throws IOException {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeUInt64(PIECE_BYTES, pieceBytes);
    out.flush();
    return bytes.toByteString();
  }
}
