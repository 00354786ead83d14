package org.grampus.compat.protocol;

import com.google.protobuf.BlockingRpcChannel;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.ServiceException;
import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * GrampusSplitService.proto as HBase's clients call it. Their channels to coprocessors take
 * messages of protobuf 2.5, which Grampus uses for nothing else. So there is no generated code: a
 * message of the descriptor is made from the bytes of ours. Any thread.
 */
public final class SplitService {
  /** The name of the service. */
  public static final String NAME = "GrampusSplitService";

  /** The method that says a region's pieces. */
  public static final String GET_PIECES = "GetPieces";

  private static final String REQUEST = "PiecesRequest";
  private static final String REPLY = "PiecesReply";
  private static final String PIECE = "Piece";

  private static final MethodDescriptor METHOD =
      descriptor().getServices().get(0).getMethods().get(0);

  private SplitService() {}

  /**
   * Asks a region for its pieces.
   *
   * @param channel that of a row of the region, as {@code Table.coprocessorService} makes it
   * @throws IOException what the client throws when a call fails; {@code UnknownProtocolException}
   *     when the server does not have the service
   */
  public static PiecesReply getPieces(BlockingRpcChannel channel, PiecesRequest request)
      throws IOException {
    Message asked =
        DynamicMessage.parseFrom(METHOD.getInputType(), request.toByteString().toByteArray());
    Message prototype = DynamicMessage.getDefaultInstance(METHOD.getOutputType());
    try {
      Message reply = channel.callBlockingMethod(METHOD, null, asked, prototype);
      return PiecesReply.parse(ByteString.copyFrom(reply.toByteArray()));
    } catch (ServiceException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw new IOException("cannot call " + NAME, e);
    }
  }

  /** The file as protoc would describe it. */
  static FileDescriptor descriptor() {
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName(NAME + ".proto")
            .addMessageType(requestMessage())
            .addMessageType(replyMessage())
            .addMessageType(pieceMessage())
            .addService(ServiceDescriptorProto.newBuilder().setName(NAME).addMethod(method()))
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[0]);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException("the descriptor of " + NAME + " is wrong", e);
    }
  }

  private static MethodDescriptorProto.Builder method() {
    return MethodDescriptorProto.newBuilder()
        .setName(GET_PIECES)
        .setInputType(REQUEST)
        .setOutputType(REPLY);
  }

  private static DescriptorProto requestMessage() {
    return message(
        REQUEST,
        field("piece_bytes", PiecesRequest.PIECE_BYTES, FieldDescriptorProto.Type.TYPE_UINT64));
  }

  private static DescriptorProto replyMessage() {
    return message(
        REPLY,
        field("piece", PiecesReply.PIECE, FieldDescriptorProto.Type.TYPE_MESSAGE)
            .setTypeName(PIECE)
            .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED),
        field("end_key", PiecesReply.END_KEY, FieldDescriptorProto.Type.TYPE_BYTES));
  }

  private static DescriptorProto pieceMessage() {
    return message(
        PIECE,
        field("first_row", PiecesReply.Piece.FIRST_ROW, FieldDescriptorProto.Type.TYPE_BYTES),
        field("bytes", PiecesReply.Piece.BYTES, FieldDescriptorProto.Type.TYPE_UINT64));
  }

  private static DescriptorProto message(String name, FieldDescriptorProto.Builder... fields) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    for (FieldDescriptorProto.Builder field : fields) {
      message.addField(field);
    }
    return message.build();
  }

  private static FieldDescriptorProto.Builder field(
      String name, int number, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
  }
}
