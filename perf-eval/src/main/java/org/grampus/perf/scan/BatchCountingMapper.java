package org.grampus.perf.scan;

import java.io.IOException;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Looks at each value of each column, and writes nothing: {@link CountingMapper} over batches. */
public final class BatchCountingMapper
    extends Mapper<NullWritable, VectorSchemaRoot, NullWritable, NullWritable> {
  private static final String ROW_KEY = "rowkey";

  /** For the framework. */
  public BatchCountingMapper() {}

  @Override
  protected void map(NullWritable none, VectorSchemaRoot batch, Context context)
      throws IOException {
    long cells = 0;
    long bytes = 0;
    for (FieldVector vector : batch.getFieldVectors()) {
      if (vector.getName().equals(ROW_KEY)) {
        continue;
      }
      if (!(vector instanceof BaseVariableWidthVector values)) {
        throw new IOException(vector.getField() + " is no column of bytes");
      }
      for (int row = 0; row < batch.getRowCount(); row++) {
        if (!values.isNull(row)) {
          cells++;
          bytes += values.getValueLength(row);
        }
      }
    }
    context.getCounter(CountingMapper.Counted.ROWS).increment(batch.getRowCount());
    context.getCounter(CountingMapper.Counted.CELLS).increment(cells);
    context.getCounter(CountingMapper.Counted.VALUE_BYTES).increment(bytes);
  }
}
