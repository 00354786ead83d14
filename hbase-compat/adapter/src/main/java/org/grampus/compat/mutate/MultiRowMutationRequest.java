package org.grampus.compat.mutate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.grampus.compat.protocol.UnknownField;

/**
 * The messages of MultiRowMutationService, which HBase keeps only in the old protobuf. {@code
 * MutateRowsRequest{mutation_request=1*, nonce_group=2, nonce=3, region=4, condition=5*}}, {@code
 * MutateRowsResponse{processed=1}}.
 *
 * @param mutations what to do
 * @param conditions what must hold for it
 * @param nonceGroup group of the nonce
 */
public record MultiRowMutationRequest(
    List<MutationProto> mutations, List<Condition> conditions, long nonceGroup) {
  private static final int MUTATION_TAG = 1 << 3 | 2;
  private static final int NONCE_GROUP_TAG = 2 << 3;
  private static final int CONDITION_TAG = 5 << 3 | 2;
  private static final byte PROCESSED_TAG = 1 << 3;

  /** Reads a request. */
  public static MultiRowMutationRequest parse(ByteString bytes) throws IOException {
    List<MutationProto> mutations = new ArrayList<>();
    List<Condition> conditions = new ArrayList<>();
    long nonceGroup = 0;
    CodedInputStream in = bytes.newCodedInput();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case MUTATION_TAG -> mutations.add(MutationProto.parseFrom(in.readByteArray()));
        case CONDITION_TAG -> conditions.add(Condition.parseFrom(in.readByteArray()));
        case NONCE_GROUP_TAG -> nonceGroup = in.readUInt64();
        default -> UnknownField.skip(in, tag);
      }
    }
    return new MultiRowMutationRequest(mutations, conditions, nonceGroup);
  }

  /** Writes a response. */
  public static ByteString response(boolean processed) {
    return ByteString.copyFrom(new byte[] {PROCESSED_TAG, (byte) (processed ? 1 : 0)});
  }
}
