package org.grampus.compat.suite;

import org.grampus.compat.suite.target.ServerKind;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a test when the suite runs on a stock HBase. */
final class OnGrampusOnly implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return SharedServer.kind() == ServerKind.GRAMPUS
        ? ConditionEvaluationResult.enabled("the server is Grampus")
        : ConditionEvaluationResult.disabled("a gap of Grampus, see docs/compat-matrix.md");
  }
}
