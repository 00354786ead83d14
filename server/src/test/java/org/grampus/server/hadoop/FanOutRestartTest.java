package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.grampus.engine.AppendStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Power comes back: the name node is there before the data nodes that have a log's replicas. */
@Tag("hdfs")
class FanOutRestartTest {
  private static final int BYTES = 10;

  @TempDir java.nio.file.Path directory;

  @Test
  void aRecoveryWaitsForTheDataNodesOfALog() throws Exception {
    recoveryWaits("asyncfs");
  }

  @Tag("long")
  @Test
  void aRecoveryWaitsForThoseOfAPipeline() throws Exception {
    recoveryWaits("filesystem");
  }

  private void recoveryWaits(String provider) throws Exception {
    try (MiniHdfs hdfs = new MiniHdfs(directory)) {
      Configuration conf = hdfs.conf();
      conf.set("hbase.wal.provider", provider);
      Path path = new Path("/hbase/log");
      try (HadoopFiles files = new HadoopFiles(conf)) {
        AppendStream log = files.createLog(hdfs.uri(path.toString()), 1 << 20);
        log.write(ByteBuffer.allocateDirect(BYTES));
        log.flush();
        List<DataNodeProperties> stopped = new ArrayList<>();
        for (int dataNode = 0; dataNode < 3; dataNode++) {
          stopped.add(hdfs.stopDataNode());
        }
        hdfs.restartNameNode();
        assertFalse(hdfs.fs().recoverLease(path), "the file is ended without its block");
        hdfs.start(stopped);
        MiniHdfs.await(() -> hdfs.fs().recoverLease(path), "the file is not recovered");
      }
      try (InputStream in = hdfs.fs().open(path)) {
        assertEquals(BYTES, in.readAllBytes().length);
      }
    }
  }
}
