package org.grampus.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.MetaCellComparator;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HBase's own reader takes a column file for a store file, and cannot read cells from it. */
class HFileTailTest {

  private static final byte[] INPUTS_KEY = Bytes.toBytes("GRAMPUS.COMPACTED");
  private static final byte[] FORMAT_KEY = Bytes.toBytes("GRAMPUS.FORMAT");

  private final Configuration conf = HBaseConfiguration.create();

  private Path golden(String name) {
    String dir = System.getProperty("grampus.testdata", "../testdata");
    return new Path(new File(dir, "colfile/v2/" + name).getAbsoluteFile().toURI());
  }

  private HFile.Reader open(String name) throws IOException {
    Path path = golden(name);
    FileSystem fs = path.getFileSystem(conf);
    assertTrue(HFile.isHFileFormat(fs, path), name);
    return HFile.createReader(fs, path, CacheConfig.DISABLED, true, conf);
  }

  @Test
  void firstAndLastRowAndSizesAreTheFilesOwn() throws IOException {
    for (String name : new String[] {"none", "snappy", "lz4", "zstd", "gz"}) {
      try (HFile.Reader reader = open(name + ".colfile")) {
        assertEquals("row0000", Bytes.toString(reader.getFirstRowKey().orElseThrow()), name);
        assertEquals("row0299", Bytes.toString(reader.getLastRowKey().orElseThrow()), name);
        assertTrue(reader.midKey().isPresent(), name);
        assertTrue(reader.getEntries() > 1500, name);
        assertTrue(reader.length() > 4096, name);
      }
    }
  }

  @Test
  void fileInfoCarriesSequenceIdAndOrigin() throws IOException {
    try (HFile.Reader reader = open("snappy.colfile")) {
      Map<byte[], byte[]> info = reader.getHFileInfo();
      assertEquals(4712L, Bytes.toLong(info.get(HStoreFile.MAX_SEQ_ID_KEY)));
      assertTrue(Bytes.toBoolean(info.get(HStoreFile.MAJOR_COMPACTION_KEY)));
      assertArrayEquals(Bytes.toBytes(2), info.get(FORMAT_KEY));
      assertEquals(
          "0123456789abcdef0123456789abcdef\nfedcba9876543210fedcba9876543210",
          Bytes.toString(info.get(INPUTS_KEY)));
    }
    try (HFile.Reader reader = open("none.colfile")) {
      assertEquals(4711L, Bytes.toLong(reader.getHFileInfo().get(HStoreFile.MAX_SEQ_ID_KEY)));
      assertFalse(Bytes.toBoolean(reader.getHFileInfo().get(HStoreFile.MAJOR_COMPACTION_KEY)));
    }
  }

  @Test
  void openingAsAStoreFileFindsItsMetadata(@TempDir File family) throws IOException {
    Path path = new Path(new File(family, "0123456789abcdef0123456789abcdef").toURI());
    FileSystem fs = path.getFileSystem(conf);
    fs.copyFromLocalFile(golden("snappy.colfile"), path);
    HStoreFile file = new HStoreFile(fs, path, conf, CacheConfig.DISABLED, BloomType.ROW, true);
    file.initReader();
    assertEquals(4712L, file.getMaxSequenceId());
    assertTrue(file.isMajorCompactionResult());
    assertFalse(file.excludeFromMinorCompaction());
    assertEquals("row0000", Bytes.toString(CellUtil.cloneRow(file.getFirstKey().orElseThrow())));
    assertEquals("row0299", Bytes.toString(CellUtil.cloneRow(file.getLastKey().orElseThrow())));
    file.closeStoreFile(true);
  }

  @Test
  void readingCellsFailsLoudly() throws IOException {
    try (HFile.Reader reader = open("none.colfile")) {
      HFileScanner scanner = reader.getScanner(conf, false, false);
      assertThrows(IOException.class, scanner::seekTo);
      assertThrows(IOException.class, () -> scanner.seekTo(reader.getFirstKey().orElseThrow()));
    }
  }

  @Test
  void metaFilesNameTheirComparator() throws IOException {
    try (HFile.Reader reader = open("meta.colfile")) {
      assertTrue(reader.getComparator() instanceof MetaCellComparator);
      assertEquals("hbase:meta,,1", Bytes.toString(reader.getFirstRowKey().orElseThrow()));
      assertEquals("t2,,3.0d.", Bytes.toString(reader.getLastRowKey().orElseThrow()));
    }
  }

  @Test
  void anEmptyFileOpensAndKeepsItsSequenceId() throws IOException {
    try (HFile.Reader reader = open("empty.colfile")) {
      assertTrue(reader.getFirstRowKey().isEmpty());
      assertEquals(0L, reader.getEntries());
      assertEquals(4712L, Bytes.toLong(reader.getHFileInfo().get(HStoreFile.MAX_SEQ_ID_KEY)));
    }
  }
}
