package org.grampus.server.service;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRegionLoadStats;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionLoadStats;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.compat.mutate.CheckAndMutateAdapter;
import org.grampus.compat.mutate.MutationAdapter;
import org.grampus.compat.mutate.MutationBatchWriter;
import org.grampus.compat.mutate.MutationOutput;
import org.grampus.compat.mutate.RequestCells;
import org.grampus.compat.mutate.RowMutationsAdapter;
import org.grampus.engine.EngineException;
import org.grampus.server.env.Env;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.RequestCounters.Kind;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.CallProgress;

/**
 * One Multi on its way. It may begin on an event loop and go on, from where it would have blocked,
 * on a pool. A region action that is not atomic runs in steps, each of which ends before the first
 * get that follows an increment or append: of a step first all gets run, then all mutations as one
 * batch. So a get sees the increments and appends before it, and may miss a sibling put, as in
 * HBase. The answers leave in the order of the request, which every client can read. One thread at
 * a time.
 */
@SuppressWarnings("deprecation") // the condition of the whole request, from clients before 2.4
final class MultiRun implements CallProgress {
  private final Call call;
  private final MultiRequest request;
  private final RegionRegistry regions;
  private final BatchRunner batches;
  private final ActionErrors errors;
  private final MultiResults taken;
  private final DeltaResults deltas;
  private final MultiGets gets;
  private final Operations operations;
  private final LoadStatistics loads;
  private final MultiReply reply;
  private final RequestCells cells = new RequestCells();
  private final MultiResponse.Builder response = MultiResponse.newBuilder();
  private final MultiRegionLoadStats.Builder regionLoads = MultiRegionLoadStats.newBuilder();
  private int regionIndex;
  private OnlineRegion region;
  private ActionResults results;
  private int regionCells;
  private int stepStart;
  private int nextGet;

  /** Whether a mutation of the region action that runs was applied, and of any. */
  private boolean regionChanged;

  private boolean changed;

  MultiRun(
      Call call,
      RegionRegistry regions,
      BatchRunner batches,
      Operations operations,
      LoadStatistics loads,
      long maxResultBytes) {
    this.call = call;
    this.request = (MultiRequest) call.param();
    this.regions = regions;
    this.batches = batches;
    this.errors = new ActionErrors(call.memory());
    this.taken = new MultiResults(call, maxResultBytes);
    this.deltas = new DeltaResults(call, taken);
    this.gets = new MultiGets(call, taken, errors, operations);
    this.operations = operations;
    this.loads = loads;
    this.reply = new MultiReply(call, operations);
    cells.reset(call.cells());
  }

  /** Runs on; false when it must go on where it may block. */
  boolean run(boolean mayBlock) throws IOException {
    gets.startTurn();
    int count =
        request.hasCondition()
            ? Math.min(1, request.getRegionActionCount())
            : request.getRegionActionCount();
    for (; regionIndex < count; regionIndex++) {
      if (!runRegionAction(request.getRegionAction(regionIndex), mayBlock)) {
        return false;
      }
      addLoad(request.getRegionAction(regionIndex));
      region = null;
    }
    if (request.hasCondition() && count == 0) {
      response.setProcessed(true);
    }
    reply();
    return true;
  }

  /** Of a region that is not here there is none. */
  private void addLoad(RegionAction actions) {
    RegionLoadStats load = region == null ? null : loads.of(region);
    if (load != null) {
      regionLoads.addRegion(actions.getRegion()).addStat(load);
    }
  }

  private void reply() {
    response.setRegionStatistics(regionLoads);
    call.progress(null);
    reply.ready(response.build(), taken.takeBlock());
  }

  @Override
  public boolean finish(IOException error) {
    if (!changed) {
      return false;
    }
    if (region != null) {
      failRest(error);
      regionIndex++;
    }
    for (; regionIndex < request.getRegionActionCount(); regionIndex++) {
      response.addRegionActionResult(refused(error));
    }
    reply();
    return true;
  }

  /** Ends the region action that runs with an error for all that it has no answer to. */
  private void failRest(IOException error) {
    if (regionChanged) {
      results.errorForRest(() -> errors.of(error));
      response.addRegionActionResult(results.build());
      return;
    }
    taken.forgetRegion();
    response.addRegionActionResult(refused(error));
  }

  private RegionActionResult.Builder refused(IOException error) {
    return RegionActionResult.newBuilder().setException(errors.of(error));
  }

  @Override
  public void abandon() {
    taken.release();
  }

  private boolean runRegionAction(RegionAction actions, boolean mayBlock) throws IOException {
    try {
      if (region == null) {
        startRegion(actions);
        region = regions.lookup(actions.getRegion());
      }
      if (request.hasCondition() || actions.hasCondition() || actions.getAtomic()) {
        return runAtomic(actions, mayBlock);
      }
      return runPlain(actions, mayBlock);
    } catch (IOException | RuntimeException e) {
      deltas.giveBack();
      cells.position(regionCells);
      for (Action action : actions.getActionList()) {
        skipCells(action);
      }
      IOException error = ErrorAdapter.adapt(e);
      operations.failed(error);
      failRest(error);
      return true;
    }
  }

  private void startRegion(RegionAction actions) {
    results = new ActionResults(actions.getActionList());
    regionCells = cells.position();
    stepStart = 0;
    nextGet = 0;
    regionChanged = false;
    taken.startRegion();
  }

  private boolean runPlain(RegionAction actions, boolean mayBlock) throws IOException {
    List<Action> list = actions.getActionList();
    while (stepStart < list.size()) {
      int end = stepEnd(list, stepStart);
      for (; nextGet < end; nextGet++) {
        Action action = list.get(nextGet);
        if (action.hasGet() && !gets.run(action.getGet(), nextGet, region, results, mayBlock)) {
          return false;
        }
      }
      if (!runMutations(list, end, mayBlock)) {
        return false;
      }
      stepStart = end;
    }
    response.addRegionActionResult(results.build());
    return true;
  }

  /** The first get after an increment or append from a position on, or the end. */
  private static int stepEnd(List<Action> list, int start) {
    boolean afterDelta = false;
    for (int i = start; i < list.size(); i++) {
      Action action = list.get(i);
      if (afterDelta && action.hasGet()) {
        return i;
      }
      afterDelta |= DeltaResults.has(action);
    }
    return list.size();
  }

  /** Runs the mutations of a step. */
  private boolean runMutations(List<Action> list, int end, boolean mayBlock) throws IOException {
    MutationBatchWriter batch = BatchRunner.start(request.getNonceGroup(), mayBlock);
    if (call.clientReadsTags()) {
      batch.withTags();
    }
    deltas.giveBack(); // of a step that begins again
    long startNanos = Env.nanos();
    int cellsStart = cells.position();
    int[] positions = new int[end - stepStart];
    for (int i = stepStart; i < end; i++) {
      if (!list.get(i).hasGet() && addMutation(list.get(i), i, batch)) {
        positions[batch.opCount() - 1] = i;
      }
    }
    if (batch.opCount() == 0) {
      return true;
    }
    MutationOutput output;
    try {
      output = batches.run(region, batch, reply);
      if (output == null) {
        cells.position(cellsStart);
        return false;
      }
      regionChanged = true;
      changed = true;
    } catch (EngineException e) {
      deltas.giveBack();
      IOException adapted = ErrorAdapter.adapt(e);
      operations.failed(adapted);
      for (int op = 0; op < batch.opCount(); op++) {
        results.error(positions[op], errors.of(adapted));
      }
      return true;
    }
    takeOutput(list, positions, batch.opCount(), output, new MutationKinds(region, startNanos));
    taken.limit(end);
    return true;
  }

  /** Adds one action to the batch; false when it is none that can be run. */
  private boolean addMutation(Action action, int index, MutationBatchWriter batch)
      throws IOException {
    if (taken.refuses(index)) {
      skipCells(action);
      results.error(index, errors.of(taken.tooLarge()));
      return false;
    }
    MutationBatchWriter.Mark mark = batch.mark();
    int cellsStart = cells.position();
    int bytesBefore = batch.cellsLength();
    try {
      if (action.hasServiceCall()) {
        throw new UnknownProtocolException(
            "No registered coprocessor service found for "
                + action.getServiceCall().getServiceName());
      }
      if (!action.hasMutation()) {
        throw new HBaseIOException("Unexpected Action type");
      }
      MutationAdapter.write(action.getMutation(), cells, region.families(), batch);
      if (DeltaResults.has(action)) {
        deltas.require(action.getMutation(), batch.cellsLength() - bytesBefore);
      }
      return true;
    } catch (IOException e) {
      batch.reset(mark);
      cells.position(cellsStart);
      skipCells(action);
      results.error(index, errors.of(e));
      return false;
    }
  }

  private void takeOutput(
      List<Action> list, int[] positions, int count, MutationOutput output, MutationKinds kinds)
      throws IOException {
    deltas.giveBack();
    try {
      for (int op = 0; op < count; op++) {
        output.next();
        MutationProto mutation = list.get(positions[op]).getMutation();
        if (!output.failed()) {
          kinds.add(mutation.getMutateType());
        }
        answer(positions[op], mutation, output);
      }
    } finally {
      reply.applied(kinds, count); // whatever becomes of its results
    }
  }

  private void answer(int position, MutationProto mutation, MutationOutput output)
      throws IOException {
    boolean returnsCells = DeltaResults.has(mutation);
    if (output.failed()) {
      IOException error = returnsCells ? output.error() : output.errorInBatch();
      results.error(position, errors.of(deltas.error(error)));
    } else if (returnsCells) {
      results.result(position, deltas.result(output));
    } else {
      results.success(position);
    }
  }

  private boolean runAtomic(RegionAction actions, boolean mayBlock) throws IOException {
    List<Action> list = actions.getActionList();
    if (list.isEmpty()) {
      finishAtomic(actions, true, null);
      return true;
    }
    long startNanos = Env.nanos();
    int cellsStart = cells.position();
    MutationBatchWriter batch = BatchRunner.start(request.getNonceGroup(), mayBlock);
    if (request.hasCondition()) {
      CheckAndMutateAdapter.write(request.getCondition(), list, cells, region.families(), batch);
    } else if (actions.hasCondition()) {
      CheckAndMutateAdapter.write(actions.getCondition(), list, cells, region.families(), batch);
    } else {
      RowMutationsAdapter.write(list, cells, region.families(), batch);
    }
    deltas.requireMessages(list, batch.cellsLength());
    MutationOutput output = batches.run(region, batch, reply);
    if (output == null) {
      cells.position(cellsStart);
      return false;
    }
    changed = true;
    deltas.giveBack();
    output.next();
    if (output.failed()) {
      throw output.error();
    }
    countAtomic(actions, output.matched(), startNanos);
    // inside the message, so without tags, also for a client that reads them: as in HBase
    Result merged = output.hasCells() ? deltas.message(output) : null;
    finishAtomic(actions, output.matched(), merged);
    return true;
  }

  private void countAtomic(RegionAction actions, boolean matched, long startNanos) {
    MutationKinds kinds = new MutationKinds(region, startNanos);
    actions.getActionList().forEach(action -> kinds.add(action.getMutation().getMutateType()));
    if (request.hasCondition() || actions.hasCondition()) {
      region.counters().count(matched ? Kind.CHECK_PASSED : Kind.CHECK_FAILED);
      region.counters().read(1);
      reply.checked(kinds, actions.getActionCount(), matched);
    } else {
      reply.applied(kinds, actions.getActionCount());
    }
  }

  /** The results of an atomic action: all cells in the first, the others empty. */
  private void finishAtomic(RegionAction actions, boolean matched, Result merged) {
    boolean conditional = request.hasCondition() || actions.hasCondition();
    results.numberByPosition();
    for (int i = 0; i < actions.getActionCount(); i++) {
      if (i == 0 && merged != null) {
        results.result(i, merged);
      } else if (conditional) {
        results.nothing(i);
      } else {
        results.success(i);
      }
    }
    RegionActionResult.Builder result = results.build();
    if (request.hasCondition()) {
      response.setProcessed(matched);
    } else {
      result.setProcessed(matched);
      if (!conditional) {
        response.setProcessed(true); // where clients before 2.4 look
      }
    }
    response.addRegionActionResult(result);
  }

  private void skipCells(Action action) throws IOException {
    if (action.hasMutation()) {
      cells.skip(action.getMutation().getAssociatedCellCount());
    }
  }
}
