package org.grampus.mapreduce.source;

import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.schema.MessageType;

/**
 * Reads some columns of Parquet. Without this the library takes them as a text, which has no form
 * for names with spaces or commas.
 */
final class ProjectedGroups extends GroupReadSupport {
  private final MessageType columns;

  ProjectedGroups(MessageType columns) {
    this.columns = columns;
  }

  @Override
  public ReadContext init(InitContext context) {
    return new ReadContext(columns);
  }
}
