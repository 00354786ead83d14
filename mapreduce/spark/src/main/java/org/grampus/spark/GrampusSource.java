package org.grampus.spark;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The format {@code grampus}. Spark makes one for each data frame that is loaded or saved. */
public final class GrampusSource implements TableProvider, DataSourceRegister {
  /** That of the last look at the schema, which may have taken a snapshot for it. */
  private GrampusTable last;

  private Map<String, String> lastOptions;

  /** For Spark. */
  public GrampusSource() {}

  @Override
  public String shortName() {
    return "grampus";
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return table(options.asCaseSensitiveMap()).schema();
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return table(properties);
  }

  private GrampusTable table(Map<String, String> options) {
    if (last == null || !Map.copyOf(options).equals(lastOptions)) {
      FrameOptions parsed = new FrameOptions(options);
      last = new GrampusTable(parsed, parsed.configuration(context()));
      lastOptions = Map.copyOf(options);
    }
    return last;
  }

  /** Hadoop's configuration of the running Spark context, {@code spark.hadoop.*} included. */
  private static Configuration context() {
    return SparkSession.active().sparkContext().hadoopConfiguration();
  }
}
