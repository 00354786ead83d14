package org.grampus.mapreduce.download;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.util.ReflectionUtils;
import org.grampus.mapreduce.files.ResultSerializations;

/** A sequence file of row keys and results, as HBase's Export writes it and its Import reads it. */
final class SeqPartFile implements PartFile {
  private final SequenceFile.Writer writer;
  private final ImmutableBytesWritable key = new ImmutableBytesWritable();
  private long rows;

  /** A file on a stream, which stays the caller's. */
  SeqPartFile(Configuration conf, FSDataOutputStream out, String codec) throws IOException {
    Configuration serializing = ResultSerializations.in(conf);
    writer =
        SequenceFile.createWriter(
            serializing,
            SequenceFile.Writer.stream(out),
            SequenceFile.Writer.keyClass(ImmutableBytesWritable.class),
            SequenceFile.Writer.valueClass(Result.class),
            compression(serializing, codec));
  }

  private static SequenceFile.Writer.Option compression(Configuration conf, String codec) {
    return "none".equals(codec)
        ? SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE)
        : SequenceFile.Writer.compression(
            SequenceFile.CompressionType.BLOCK,
            ReflectionUtils.newInstance(DefaultCodec.class, conf));
  }

  @Override
  public void append(Result row) throws IOException {
    key.set(row.getRow());
    writer.append(key, row);
    rows++;
  }

  @Override
  public long finish() throws IOException {
    writer.close();
    return rows;
  }

  /** Closes the writer, which completes nothing that a reader would take for the whole. */
  @Override
  public void close() throws IOException {
    writer.close();
  }
}
