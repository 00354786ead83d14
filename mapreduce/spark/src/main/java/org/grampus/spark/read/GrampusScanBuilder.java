package org.grampus.spark.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;
import org.grampus.spark.filter.Condition;
import org.grampus.spark.filter.PushDown;

/** Takes from Spark what a scan can do. One thread. */
public final class GrampusScanBuilder
    implements SupportsPushDownV2Filters,
        SupportsPushDownRequiredColumns,
        SupportsPushDownAggregates {
  private final Source source;
  private StructType wanted;
  private Condition condition = Condition.ALL;
  private Predicate[] pushed = new Predicate[0];
  private int counts;

  /** A scan of all fields and rows. */
  public GrampusScanBuilder(Source source) {
    this.source = source;
    this.wanted = source.mapping().schema();
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    PushDown pushDown = new PushDown(source.mapping());
    List<Predicate> exact = new ArrayList<>();
    List<Predicate> rest = new ArrayList<>();
    for (Predicate predicate : predicates) {
      Condition one = pushDown.of(predicate);
      if (one == null) {
        rest.add(predicate);
      } else {
        exact.add(predicate);
        condition = condition.and(one);
      }
    }
    pushed = exact.toArray(Predicate[]::new);
    return rest.toArray(Predicate[]::new);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.clone();
  }

  @Override
  public void pruneColumns(StructType required) {
    wanted = required;
  }

  /** Counts of all rows that pass, one for each partition, of which Spark makes the sum. */
  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    boolean counted =
        aggregation.groupByExpressions().length == 0
            && aggregation.aggregateExpressions().length > 0
            && Arrays.stream(aggregation.aggregateExpressions())
                .allMatch(CountStar.class::isInstance);
    counts = counted ? aggregation.aggregateExpressions().length : 0;
    return counted;
  }

  @Override
  public Scan build() {
    return new GrampusScan(source, wanted, condition, pushed, counts);
  }
}
