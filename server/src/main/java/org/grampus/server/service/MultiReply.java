package org.grampus.server.service;

import java.util.ArrayList;
import java.util.List;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.DurableReply;

/** The reply to a Multi; the latencies of its batches end when all of it is durable. */
final class MultiReply extends DurableReply {
  private final Operations operations;
  private final List<MutationKinds> batches = new ArrayList<>(2);
  private final List<MutationKinds> checks = new ArrayList<>(0);

  MultiReply(Call call, Operations operations) {
    super(call);
    this.operations = operations;
  }

  /** A batch was run; what of it failed counts as a write, too. */
  void applied(MutationKinds batch, int mutations) {
    batch.applied(mutations);
    batches.add(batch);
  }

  /** A batch with a condition was run. */
  void checked(MutationKinds batch, int mutations, boolean matched) {
    if (matched) {
      batch.applied(mutations);
    }
    checks.add(batch);
  }

  @Override
  protected void sent() {
    batches.forEach(batch -> batch.ended(operations));
    checks.forEach(batch -> batch.endedChecked(operations));
  }
}
