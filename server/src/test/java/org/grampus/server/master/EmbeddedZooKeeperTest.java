package org.grampus.server.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ZooKeeper's files as a kill in its first moments leaves them. */
class EmbeddedZooKeeperTest {
  private static final byte[] HEADER = {'Z', 'K', 'L', 'G', 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0};

  @TempDir Path directory;
  private Configuration conf;

  @BeforeEach
  void configure() throws Exception {
    conf = HBaseConfiguration.create();
    conf.set(HConstants.ZOOKEEPER_DATA_DIR, directory.toString());
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, socket.getLocalPort());
    }
  }

  private List<Path> files(String prefix) throws Exception {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.filter(path -> path.getFileName().toString().startsWith(prefix)).toList();
    }
  }

  private void startAndStop() throws Exception {
    EmbeddedZooKeeper.start(conf).close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 15, 16, 20, 100})
  void aLogCutShort(int length) throws Exception {
    startAndStop();
    Path log = directory.resolve("zookeeper_0").resolve("version-2").resolve("log.1");
    Files.write(log, Arrays.copyOf(HEADER, length));
    startAndStop();
    assertEquals(length < 16, Files.notExists(log));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 15, 40})
  void aSnapshotCutShort(int length) throws Exception {
    startAndStop();
    for (Path snapshot : files("snapshot.")) {
      try (RandomAccessFile file = new RandomAccessFile(snapshot.toFile(), "rw")) {
        file.setLength(length);
      }
    }
    startAndStop();
  }
}
