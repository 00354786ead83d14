package org.grampus.compat.mutate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** The request as bytes. */
class MultiRowMutationRequestTest {
  private static final byte MUTATION = 1 << 3 | 2;

  @Test
  void fieldsThatAreNotKnownArePassedOver() throws IOException {
    byte[] bytes = {15 << 3 | 3, 15 << 3 | 4, MUTATION, 0}; // a group, and an empty mutation
    assertEquals(1, MultiRowMutationRequest.parse(ByteString.copyFrom(bytes)).mutations().size());
  }

  @Test
  void nothingFollowsTheEndOfAGroupThatHasNotBegun() {
    byte[] bytes = {1 << 3 | 4, MUTATION, 0};
    assertThrows(
        IOException.class, () -> MultiRowMutationRequest.parse(ByteString.copyFrom(bytes)));
  }
}
