package org.grampus.perf.pe.option;

import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import picocli.CommandLine.Option;

/** The table, and how it is made. */
public final class TableOptions {
  @Option(
      names = "--table",
      paramLabel = "NAME",
      description = "Alternate table name. Default: 'TestTable'",
      defaultValue = "TestTable")
  private String name;

  @Option(
      names = "--recreate",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Drop the table and make it anew (tests that write alone). Without it no table is dropped")
  private boolean recreate;

  @Option(
      names = "--presplit",
      paramLabel = "REGIONS",
      description = "Create presplit table. Default: disabled",
      defaultValue = "0")
  private int regions;

  @Option(
      names = "--compress",
      paramLabel = "TYPE",
      description = "Compression type to use (GZ, LZO, ...). Default: 'NONE'",
      defaultValue = "NONE")
  private Compression.Algorithm compression;

  @Option(
      names = "--encryption",
      paramLabel = "TYPE",
      description = "Encryption type to use (AES, ...). Default: 'NONE'")
  private String encryption;

  @Option(
      names = "--splitPolicy",
      paramLabel = "CLASS",
      description = "Specify a custom RegionSplitPolicy for the table")
  private String splitPolicy;

  @Option(
      names = "--inmemory",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Tries to keep the HFiles of the CF inmemory as far as possible. Default: false")
  private boolean inMemory;

  @Option(
      names = "--bloomFilter",
      paramLabel = "TYPE",
      description = "Bloom filter type, one of ${COMPLETION-CANDIDATES}. Default: ROW",
      defaultValue = "ROW")
  private BloomType bloomType;

  @Option(
      names = "--blockSize",
      paramLabel = "BYTES",
      description = "Blocksize to use when writing out hfiles. Default: 65536",
      defaultValue = "65536")
  private int blockSize;

  @Option(
      names = "--blockEncoding",
      paramLabel = "TYPE",
      description = "Block encoding to use, one of ${COMPLETION-CANDIDATES}. Default: NONE",
      defaultValue = "NONE")
  private DataBlockEncoding blockEncoding;

  @Option(
      names = "--inmemoryCompaction",
      paramLabel = "POLICY",
      description = "Makes the column family to do inmemory flushes/compactions. Default: NONE",
      defaultValue = "NONE")
  private MemoryCompactionPolicy inMemoryCompaction;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "Enable region replica testing. Default: 1",
      defaultValue = "1")
  private int replicas;

  public String name() {
    return name;
  }

  public boolean recreate() {
    return recreate;
  }

  /** 0: as many as the server makes. */
  public int regions() {
    return regions;
  }

  public Compression.Algorithm compression() {
    return compression;
  }

  /** Null: none. */
  public String encryption() {
    return encryption;
  }

  /** Null: the server's. */
  public String splitPolicy() {
    return splitPolicy;
  }

  public boolean inMemory() {
    return inMemory;
  }

  public BloomType bloomType() {
    return bloomType;
  }

  public int blockSize() {
    return blockSize;
  }

  public DataBlockEncoding blockEncoding() {
    return blockEncoding;
  }

  public MemoryCompactionPolicy inMemoryCompaction() {
    return inMemoryCompaction;
  }

  public int replicas() {
    return replicas;
  }
}
