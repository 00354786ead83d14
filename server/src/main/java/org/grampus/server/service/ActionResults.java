package org.grampus.server.service;

import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;

/** The answers to the actions on one region: set in any order, sent in that of the request. */
final class ActionResults {
  private static final int CACHED = 1024;
  private static final ResultOrException[] SUCCESSES = new ResultOrException[CACHED];

  static {
    for (int i = 0; i < CACHED; i++) {
      SUCCESSES[i] = newSuccess(i);
    }
  }

  private final List<Action> actions;
  private final ResultOrException[] answers;
  private boolean byPosition;

  ActionResults(List<Action> actions) {
    this.actions = actions;
    this.answers = new ResultOrException[actions.size()];
  }

  /** Sends positions as indexes from now on, as HBase does for atomic actions. */
  void numberByPosition() {
    byPosition = true;
  }

  void success(int position) {
    int index = index(position);
    answers[position] = index >= 0 && index < CACHED ? SUCCESSES[index] : newSuccess(index);
  }

  void nothing(int position) {
    answers[position] = ResultOrException.newBuilder().setIndex(index(position)).build();
  }

  void result(int position, Result result) {
    answers[position] =
        ResultOrException.newBuilder().setIndex(index(position)).setResult(result).build();
  }

  void error(int position, NameBytesPair error) {
    answers[position] =
        ResultOrException.newBuilder().setIndex(index(position)).setException(error).build();
  }

  /** An error for all positions without an answer, asked for each. */
  void errorForRest(Supplier<NameBytesPair> error) {
    for (int position = 0; position < answers.length; position++) {
      if (answers[position] == null) {
        error(position, error.get());
      }
    }
  }

  RegionActionResult.Builder build() {
    RegionActionResult.Builder result = RegionActionResult.newBuilder();
    for (ResultOrException answer : answers) {
      result.addResultOrException(answer);
    }
    return result;
  }

  private int index(int position) {
    Action action = actions.get(position);
    return !byPosition && action.hasIndex() ? action.getIndex() : position;
  }

  private static ResultOrException newSuccess(int index) {
    return ResultOrException.newBuilder()
        .setIndex(index)
        .setResult(Result.getDefaultInstance())
        .build();
  }
}
