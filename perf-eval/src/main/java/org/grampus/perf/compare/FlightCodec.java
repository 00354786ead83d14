package org.grampus.perf.compare;

import org.apache.hadoop.hbase.io.compress.Compression;

/**
 * Compressions, with the bytes of a Parquet file of the demo's rows and keys. pyarrow 26: text,
 * columns with dictionaries, keys DELTA_BYTE_ARRAY, row groups of 20,000 rows; without the cells'
 * timestamps.
 */
public enum FlightCodec {
  /** None. */
  NONE(10_942_284),
  /** Fast. */
  SNAPPY(7_175_063),
  /** Small. */
  ZSTD(5_488_743);

  private final long parquetBytes;

  FlightCodec(long parquetBytes) {
    this.parquetBytes = parquetBytes;
  }

  /** Bytes of the Parquet file. */
  public long parquetBytes() {
    return parquetBytes;
  }

  /** HBase's name. */
  public Compression.Algorithm compression() {
    return Compression.Algorithm.valueOf(name());
  }
}
