package org.grampus.server.hadoop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/** A stream of HBase's that does nothing, at once. */
class IdleOutput implements AsyncFSOutput {
  private final int replicas;

  IdleOutput(int replicas) {
    this.replicas = replicas;
  }

  @Override
  public void write(byte[] bytes) {}

  @Override
  public void write(byte[] bytes, int from, int count) {}

  @Override
  public void writeInt(int number) {}

  @Override
  public void write(ByteBuffer bytes) {}

  @Override
  public int buffered() {
    return 0;
  }

  @Override
  public DatanodeInfo[] getPipeline() {
    return new DatanodeInfo[replicas];
  }

  @Override
  public CompletableFuture<Long> flush(boolean sync) {
    return CompletableFuture.completedFuture(0L);
  }

  @Override
  public void recoverAndClose(CancelableProgressable reporter) throws IOException {}

  @Override
  public void close() throws IOException {}

  @Override
  public boolean isBroken() {
    return false;
  }

  @Override
  public long getSyncedLength() {
    return 0;
  }
}
