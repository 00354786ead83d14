package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.NativeEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions of tables whose descriptors are on disk and were checked by no master. */
class RegionOpenerTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(NAME).build();
  private static final String TRACKER = "hbase.store.file-tracker.impl";
  private static final String PACKAGE = "org.apache.hadoop.hbase.regionserver.storefiletracker.";

  @TempDir private Path root;

  private Configuration conf;
  private RegionFiles files;
  private NativeEngine engine;

  @BeforeEach
  void open() throws IOException {
    conf = new Configuration();
    conf.set("hbase.rootdir", root.toUri().toString());
    files = new RegionFiles(conf);
    engine = NativeEngine.open(EngineConfig.DEFAULTS);
    LocalRegion.startLogs(engine, root);
  }

  @AfterEach
  void close() throws IOException {
    engine.close();
    files.close();
  }

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(new byte[] {'f'});
  }

  private static TableDescriptorBuilder table(ColumnFamilyDescriptorBuilder family) {
    return TableDescriptorBuilder.newBuilder(NAME).setColumnFamily(family.build());
  }

  private OnlineRegion open(TableDescriptor table) throws IOException {
    new FSTableDescriptors(files.fileSystem(), files.root(), false, false).update(table);
    RegionInfo region = RegionInfoBuilder.newBuilder(table.getTableName()).build();
    return new RegionOpener(conf, engine, files).open(region);
  }

  private void assertOpens(TableDescriptor table) throws IOException {
    open(table).engine().close(false);
  }

  private void assertRefused(TableDescriptor table, String tracker) {
    assertRefusal(
        table, "the family f of t is refused: its store file tracker is \"" + tracker + "\", ");
  }

  private void assertRefusal(TableDescriptor table, String start) {
    String message = assertThrows(IOException.class, () -> open(table)).getMessage();
    assertTrue(message.startsWith(start), message);
    assertFalse(Files.exists(root.resolve("data/default/t/" + REGION.getEncodedName())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FILE",
        "file",
        "MIGRATION",
        PACKAGE + "FileBasedStoreFileTracker",
        "org.example.OwnTracker"
      })
  void familiesWhoseFilesAListNamesAreNotServed(String tracker) {
    assertRefused(table(family()).setValue(TRACKER, tracker).build(), tracker);
    assertRefused(table(family().setConfiguration(TRACKER, tracker)).build(), tracker);
    assertRefused(table(family().setValue(TRACKER, tracker)).build(), tracker);
  }

  @Test
  void theServersTrackerHoldsForTablesWithoutOne() throws IOException {
    conf.set(TRACKER, "FILE");
    assertRefused(table(family()).build(), "FILE");
    assertOpens(table(family()).setValue(TRACKER, "DEFAULT").build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "default", PACKAGE + "DefaultStoreFileTracker"})
  void familiesWhoseFilesAreThoseOfTheDirectoryAreServed(String tracker) throws IOException {
    assertOpens(table(family()).setValue(TRACKER, tracker).build());
    assertOpens(
        table(family().setConfiguration(TRACKER, tracker)).setValue(TRACKER, "FILE").build());
  }

  /** A stock master makes the table if it has a key; its rows would lie there for all to read. */
  @Test
  void familiesThatAreToBeEncryptedAreNotServed() {
    assertRefusal(
        table(family().setEncryptionType("AES")).build(),
        "table t is refused: encryption is not supported; remove ENCRYPTION from f");
  }

  @Test
  void tablesWithCoprocessorsAreNotServed() throws IOException {
    String guard = "org.apache.hadoop.hbase.security.access.AccessController";
    assertRefusal(
        table(family()).setCoprocessor(guard).build(),
        "table t is refused: coprocessors cannot be loaded");
    assertOpens(
        TableDescriptorBuilder.newBuilder(TableName.valueOf("hbase:x"))
            .setColumnFamily(family().build())
            .setCoprocessor("org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint")
            .build());
  }
}
