package org.grampus.compat.protocol;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/**
 * {@code PiecesReply} of GrampusSplitService.proto. What a message says is not checked.
 *
 * @param pieces the region's
 * @param endKey the first row behind the region, empty when there is none
 */
public record PiecesReply(List<Piece> pieces, ByteString endKey) {
  static final int PIECE = 1;
  static final int END_KEY = 2;

  private static final int PIECE_TAG = PIECE << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  private static final int END_KEY_TAG = END_KEY << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  /**
   * Rows from one on, up to the first row of the next piece.
   *
   * @param firstRow the first row
   * @param bytes about the bytes of the rows; unsigned, as the message has it
   */
  public record Piece(ByteString firstRow, long bytes) {
    static final int FIRST_ROW = 1;
    static final int BYTES = 2;

    private static final int FIRST_ROW_TAG = FIRST_ROW << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    private static final int BYTES_TAG = BYTES << 3;

    private static Piece read(CodedInputStream in) throws IOException {
      ByteString firstRow = ByteString.EMPTY;
      long bytes = 0;
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag) {
          case FIRST_ROW_TAG -> firstRow = in.readBytes();
          case BYTES_TAG -> bytes = in.readUInt64();
          default -> UnknownField.skip(in, tag);
        }
      }
      return new Piece(firstRow, bytes);
    }

    private void write(CodedOutputStream out) throws IOException {
      out.writeTag(PIECE, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(
          CodedOutputStream.computeBytesSize(FIRST_ROW, firstRow)
              + CodedOutputStream.computeUInt64Size(BYTES, bytes));
      out.writeBytes(FIRST_ROW, firstRow);
      out.writeUInt64(BYTES, bytes);
    }
  }

  /**
   * Reads a message.
   *
   * @throws IOException when it is none
   */
  public static PiecesReply parse(ByteString bytes) throws IOException {
    List<Piece> pieces = new ArrayList<>();
    ByteString endKey = ByteString.EMPTY;
    CodedInputStream in = bytes.newCodedInput();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case PIECE_TAG -> pieces.add(Piece.read(in.readBytes().newCodedInput()));
        case END_KEY_TAG -> endKey = in.readBytes();
        default -> UnknownField.skip(in, tag);
      }
    }
    return new PiecesReply(pieces, endKey);
  }

  /** Writes the message. */
  public ByteString toByteString() throws IOException {
    ByteString.Output bytes = ByteString.newOutput();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    for (Piece piece : pieces) {
      piece.write(out);
    }
    out.writeBytes(END_KEY, endKey);
    out.flush();
    return bytes.toByteString();
  }
}
