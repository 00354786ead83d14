package org.grampus.compat.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.ServiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** The messages of GrampusSplitService: as bytes, and as old and new protobuf see them. */
class SplitServiceTest {
  private static final PiecesReply REPLY =
      new PiecesReply(
          List.of(
              new PiecesReply.Piece(ByteString.EMPTY, 0),
              new PiecesReply.Piece(ByteString.copyFromUtf8("row"), 1L << 40)),
          ByteString.copyFromUtf8("s"));

  @Test
  void messagesAreReadAsTheyWereWritten() throws IOException {
    assertEquals(REPLY, PiecesReply.parse(REPLY.toByteString()));
    PiecesReply none = new PiecesReply(List.of(), ByteString.EMPTY);
    assertEquals(none, PiecesReply.parse(none.toByteString()));
    assertEquals(none, PiecesReply.parse(ByteString.EMPTY));
    PiecesRequest request = new PiecesRequest(1L << 33);
    assertEquals(request, PiecesRequest.parse(request.toByteString()));
    assertEquals(0, PiecesRequest.parse(ByteString.EMPTY).pieceBytes());
    assertEquals(
        Long.MAX_VALUE, PiecesRequest.parse(new PiecesRequest(-1).toByteString()).pieceBytes());
  }

  @Test
  void whatIsNoMessageIsAnError() {
    byte[] cut = {10, 9, 1};
    byte[] endOfNoGroup = {1 << 3 | 4};
    for (byte[] each : new byte[][] {cut, endOfNoGroup}) {
      ByteString bytes = ByteString.copyFrom(each);
      assertThrows(IOException.class, () -> PiecesReply.parse(bytes));
      assertThrows(IOException.class, () -> PiecesRequest.parse(bytes));
    }
  }

  @Test
  void theDescriptorSaysWhatTheProtoFileDoes() throws IOException {
    String proto = Files.readString(Path.of("src/main/proto/GrampusSplitService.proto"));
    FileDescriptor file = SplitService.descriptor();
    for (Descriptor message : file.getMessageTypes()) {
      assertTrue(proto.contains("message " + message.getName() + " {"), message.getName());
      for (FieldDescriptor field : message.getFields()) {
        String line = line(field);
        assertTrue(proto.contains(line), line);
      }
    }
    assertEquals(5, proto.lines().filter(line -> line.matches("  (optional|repeated) .*")).count());
    assertTrue(proto.contains("service " + SplitService.NAME + " {"));
    assertTrue(
        proto.contains(
            "rpc " + SplitService.GET_PIECES + "(PiecesRequest) returns (PiecesReply);"));
  }

  private static String line(FieldDescriptor field) {
    String label = field.isRepeated() ? "repeated" : "optional";
    String type =
        field.getType() == FieldDescriptor.Type.MESSAGE
            ? field.getMessageType().getName()
            : field.getType().name().toLowerCase(java.util.Locale.ROOT);
    return label + " " + type + " " + field.getName() + " = " + field.getNumber() + ";";
  }

  @Test
  void aCallCarriesTheMessages() throws IOException {
    PiecesReply reply =
        SplitService.getPieces(
            (method, controller, request, prototype) -> {
              assertEquals("GrampusSplitService.GetPieces", method.getFullName());
              FieldDescriptor bytes = request.getDescriptorForType().findFieldByName("piece_bytes");
              assertEquals(77L, request.getField(bytes));
              return answer(prototype.getDescriptorForType());
            },
            new PiecesRequest(77));
    assertEquals(REPLY, reply);
  }

  private static DynamicMessage answer(Descriptor reply) throws ServiceException {
    try {
      return DynamicMessage.parseFrom(reply, REPLY.toByteString().toByteArray());
    } catch (IOException e) {
      throw new ServiceException("no reply", e);
    }
  }

  @Test
  void theErrorOfACallIsTheClients() {
    UnknownProtocolException unknown = new UnknownProtocolException("no such service");
    IOException thrown = failure(new ServiceException("Error calling method", unknown));
    assertSame(unknown, thrown);
    assertTrue(failure(new ServiceException("odd")).getMessage().contains(SplitService.NAME));
  }

  private static IOException failure(ServiceException error) {
    return assertThrows(
        IOException.class,
        () ->
            SplitService.getPieces(
                (method, controller, request, prototype) -> {
                  throw error;
                },
                new PiecesRequest(1)));
  }
}
