package org.grampus.mapreduce.columns;

import java.io.IOException;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.CDataDictionaryProvider;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.grampus.engine.NativeArrowStruct;

/**
 * The batches of a split as vectors of Arrow's Java library, without a copy. {@link #loadNextBatch}
 * fills {@link #getVectorSchemaRoot}, whose vectors are valid until the next call. One thread.
 * Needs arrow-c-data and arrow-vector of one version on the class path.
 */
public final class ArrowBatches extends ArrowReader {
  private final SplitBatches batches;
  private final CDataDictionaryProvider encodings = new CDataDictionaryProvider();

  /**
   * A reader that has read nothing.
   *
   * @param allocator counts the memory of the engine that vectors refer to
   * @param batches become the reader's, which closes them
   */
  public ArrowBatches(BufferAllocator allocator, SplitBatches batches) {
    super(allocator);
    this.batches = batches;
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    VectorSchemaRoot root = getVectorSchemaRoot();
    try (NativeArrowStruct batch = batches.next()) {
      if (batch == null) {
        root.clear();
        return false;
      }
      Data.importIntoVectorSchemaRoot(allocator, ArrowArray.wrap(batch.address()), root, encodings);
      return true;
    }
  }

  @Override
  protected Schema readSchema() {
    try (NativeArrowStruct schema = batches.schema()) {
      return Data.importSchema(allocator, ArrowSchema.wrap(schema.address()), encodings);
    }
  }

  /** None: nothing comes from a channel. */
  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  protected void closeReadSource() throws IOException {
    try (encodings) {
      batches.close();
    }
  }
}
