package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest.FamilyPath;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.testkit.ColumnFiles;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The three calls of a bulk load on the wire. */
class BulkLoadTest {
  @TempDir Path directory;
  private LocalCluster cluster;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    cluster = new LocalCluster(new Configuration(false));
    cluster.addRegion("", "m");
    cluster.addRegion("m", "");
    client = new RawClient(cluster.server().port(), "", "2.6.1");
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    cluster.close();
  }

  private <M extends Message> M call(String method, Message param, M prototype) throws IOException {
    RawClient.Reply<M> reply = client.call(method, param, new byte[0], prototype);
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    return reply.message();
  }

  private String failure(Class<?> type, String method, Message param, Message prototype)
      throws IOException {
    RawClient.Reply<?> reply = client.call(method, param, new byte[0], prototype);
    assertEquals(type.getName(), reply.header().getException().getExceptionClassName());
    return reply.header().getException().getStackTrace();
  }

  private String prepare() throws IOException {
    PrepareBulkLoadRequest request =
        PrepareBulkLoadRequest.newBuilder()
            .setTableName(ProtobufUtil.toProtoTableName(LocalCluster.TABLE))
            .setRegion(cluster.region(""))
            .build();
    return call("PrepareBulkLoad", request, PrepareBulkLoadResponse.getDefaultInstance())
        .getBulkToken();
  }

  private CleanupBulkLoadRequest cleanup(String token) {
    return CleanupBulkLoadRequest.newBuilder()
        .setBulkToken(token)
        .setRegion(cluster.region(""))
        .build();
  }

  private BulkLoadHFileRequest.Builder order(String row, String token) {
    BulkLoadHFileRequest.Builder order =
        BulkLoadHFileRequest.newBuilder().setRegion(cluster.region(row)).setAssignSeqNum(true);
    return token == null ? order : order.setBulkToken(token);
  }

  private static FamilyPath path(String family, String path) {
    return FamilyPath.newBuilder().setFamily(ByteString.copyFromUtf8(family)).setPath(path).build();
  }

  private boolean load(BulkLoadHFileRequest.Builder order) throws IOException {
    return call("BulkLoadHFile", order.build(), BulkLoadHFileResponse.getDefaultInstance())
        .getLoaded();
  }

  private String refusal(Class<?> type, BulkLoadHFileRequest.Builder order) throws IOException {
    return failure(
        type, "BulkLoadHFile", order.build(), BulkLoadHFileResponse.getDefaultInstance());
  }

  private String value(String row, String family) throws IOException {
    GetRequest get =
        GetRequest.newBuilder()
            .setRegion(cluster.region(row))
            .setGet(
                ProtobufUtil.toGet(new Get(Bytes.toBytes(row)).addFamily(Bytes.toBytes(family))))
            .build();
    GetResponse reply = call("Get", get, GetResponse.getDefaultInstance());
    return reply.getResult().getCellCount() == 0
        ? ""
        : reply.getResult().getCell(0).getValue().toStringUtf8();
  }

  private Path file(String name, String family, String value, String... rows) throws IOException {
    return ColumnFiles.write(directory.resolve(family).resolve(name), family, value, rows);
  }

  @Test
  void aTokenIsADirectoryThatOnlyTheServerMayEnterAndGoesWithItsLoad() throws IOException {
    String token = prepare();
    Path made = Path.of(token.substring("file:".length()));
    assertEquals(cluster.rootDir().resolve("staging"), made.getParent());
    assertTrue(made.getFileName().toString().matches("root__t__[0-9a-v]{64}"), token);
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
    assertNotEquals(token, prepare());
    Files.createDirectories(made.resolve("f"));
    Files.writeString(made.resolve("f/left"), "x");
    call("CleanupBulkLoad", cleanup(token), CleanupBulkLoadResponse.getDefaultInstance());
    assertFalse(Files.exists(made));
    // A second time, as after a lost reply.
    call("CleanupBulkLoad", cleanup(token), CleanupBulkLoadResponse.getDefaultInstance());
  }

  @Test
  void nothingButTheDirectoryOfALoadIsCleanedUp() throws IOException {
    Path precious = Files.writeString(directory.resolve("precious"), "x");
    Path staging = Files.createDirectories(cluster.rootDir().resolve("staging"));
    String token = prepare();
    for (String other :
        new String[] {
          directory.toString(),
          cluster.rootDir().toString(),
          staging.toString(),
          staging + "/../data",
          staging + "/x",
          token + "/..",
          token + "/f",
          "hdfs://nn/staging/a__b__" + "0".repeat(64),
          "",
        }) {
      failure(
          DoNotRetryIOException.class,
          "CleanupBulkLoad",
          cleanup(other),
          CleanupBulkLoadResponse.getDefaultInstance());
    }
    assertTrue(Files.exists(precious) && Files.isDirectory(staging));
    assertTrue(Files.isDirectory(cluster.rootDir().resolve("data")));
  }

  @Test
  void filesOfAllFamiliesComeTogetherAndLeaveTheirPlace() throws IOException {
    String token = prepare();
    Path f = file("1", "f", "loaded", "a", "b");
    Path g = file("2", "g", "loaded", "b");
    assertTrue(
        load(
            order("a", token)
                .addFamilyPath(path("f", f.toUri().toString()))
                .addFamilyPath(path("g", g.toString()))));
    assertEquals("loaded", value("a", "f") + value("a", "g"));
    assertEquals("loadedloaded", value("b", "f") + value("b", "g"));
    assertFalse(Files.exists(f) || Files.exists(g));
  }

  @Test
  void aRepeatedOrderIsAnsweredAsTheFirst() throws IOException {
    String token = prepare();
    Path moved = file("1", "f", "1", "a");
    Path copied = file("2", "f", "2", "b");
    BulkLoadHFileRequest.Builder move = order("a", token).addFamilyPath(path("f", "" + moved));
    BulkLoadHFileRequest.Builder copy =
        order("a", token).setCopyFile(true).addFamilyPath(path("f", "" + copied));
    for (int i = 0; i < 3; i++) {
      assertTrue(load(move) && load(copy));
    }
    assertTrue(Files.exists(copied));
    long files =
        cluster
            .regions()
            .lookup(cluster.region("a"))
            .engine()
            .snapshotFiles(false)
            .families()
            .stream()
            .mapToLong(family -> family.files().size())
            .sum();
    assertEquals(2, files);
    // The load is over, and its last reply was lost.
    call("CleanupBulkLoad", cleanup(token), CleanupBulkLoadResponse.getDefaultInstance());
    assertTrue(load(move) && load(copy));
    BulkLoadHFileRequest.Builder late =
        order("a", token).setCopyFile(true).addFamilyPath(path("g", "" + copied));
    String text = refusal(DoNotRetryIOException.class, late);
    assertTrue(text.contains("is over or was never prepared"), text);
    // Under another token the same path is another file.
    file("1", "f", "again", "a");
    assertTrue(load(order("a", prepare()).addFamilyPath(path("f", "" + moved))));
    assertEquals("again", value("a", "f"));
  }

  @Test
  void aFileOfAnotherRegionIsNotLoadedAndNoError() throws IOException {
    String token = prepare();
    Path good = file("1", "f", "v", "a");
    Path spanning = file("2", "f", "v", "a", "x");
    assertFalse(
        load(
            order("a", token)
                .addFamilyPath(path("f", "" + good))
                .addFamilyPath(path("f", "" + spanning))));
    assertTrue(Files.exists(good) && Files.exists(spanning));
    assertEquals("", value("a", "f"));
    assertTrue(load(order("a", token).addFamilyPath(path("f", "" + good))));
  }

  @Test
  void whatCanNeverBeLoadedIsAnExceptionThatIsNotRetried() throws IOException {
    String token = prepare();
    String none = directory.resolve("f/none").toString();
    String text =
        refusal(DoNotRetryIOException.class, order("a", token).addFamilyPath(path("f", none)));
    assertTrue(text.contains(none + " cannot be loaded: it is not there"), text);
    Path other = file("1", "g", "v", "a");
    text =
        refusal(
            DoNotRetryIOException.class, order("a", token).addFamilyPath(path("f", "" + other)));
    assertTrue(text.contains("it is a file of family g, not of f"), text);
    Path noFile = Files.writeString(directory.resolve("text"), "no column file");
    refusal(DoNotRetryIOException.class, order("a", token).addFamilyPath(path("f", "" + noFile)));
    refusal(
        NoSuchColumnFamilyException.class,
        order("a", token).addFamilyPath(path("unknown", "" + other)));
    refusal(DoNotRetryIOException.class, order("a", token));
    refusal(
        DoNotRetryIOException.class,
        order("a", token).addFamilyPath(path("f", "hdfs://nn:8020/f/1")));
    refusal(DoNotRetryIOException.class, order("a", token).addFamilyPath(path("f", "f/1")));
    String noPath = "/f/\0"; // as a letter beyond ASCII in the locale C
    text = refusal(DoNotRetryIOException.class, order("a", token).addFamilyPath(path("f", noPath)));
    assertTrue(text.contains("not a path in the server's character set, "), text);
    refusal(
        DoNotRetryIOException.class,
        order("a", "file:" + cluster.rootDir() + "/staging/a__b__" + "0".repeat(64))
            .addFamilyPath(path("g", "" + other)));
    assertTrue(Files.exists(other) && Files.exists(noFile));
    cluster.mayWrite = false;
    refusal(
        NotServingRegionException.class, order("a", token).addFamilyPath(path("g", "" + other)));
    cluster.mayWrite = true;
    assertTrue(load(order("a", token).addFamilyPath(path("g", "" + other))));
  }

  @Test
  void aCallWithTooManyFilesIsRefusedBeforeOneIsLookedAt() throws IOException {
    BulkLoadHFileRequest.Builder order = order("a", prepare());
    for (int i = 0; i <= 1024; i++) {
      order.addFamilyPath(path("f", "no/absolute/path"));
    }
    String text = refusal(DoNotRetryIOException.class, order);
    assertTrue(text.contains("1025 files, more than 1024"), text);
  }

  private boolean loadOfAnotherClient(BulkLoadHFileRequest order) throws IOException {
    try (RawClient other = new RawClient(cluster.server().port(), "", "2.6.1")) {
      return !other
          .call("BulkLoadHFile", order, new byte[0], BulkLoadHFileResponse.getDefaultInstance())
          .header()
          .hasException();
    }
  }

  @Test
  void loadsLeaveHandlersToOthers() throws Exception {
    Path file = file("1", "f", "v", "a");
    BulkLoadHFileRequest.Builder order = order("a", prepare()).addFamilyPath(path("f", "" + file));
    CountDownLatch begun = new CountDownLatch(4);
    CountDownLatch goOn = new CountDownLatch(1);
    cluster.fenceAsked =
        () -> {
          begun.countDown();
          Uninterruptibles.awaitUninterruptibly(goOn);
        };
    List<Future<Boolean>> calls = new ArrayList<>();
    ExecutorService clients = Executors.newFixedThreadPool(4);
    try {
      for (int i = 0; i < 4; i++) {
        calls.add(clients.submit(() -> loadOfAnotherClient(order.build())));
      }
      assertTrue(begun.await(60, TimeUnit.SECONDS));
      String text = refusal(RegionTooBusyException.class, order);
      assertTrue(text.contains("4 bulk loads are under way"), text);
    } finally {
      goOn.countDown();
      clients.shutdown();
    }
    int loaded = 0;
    for (Future<Boolean> call : calls) {
      loaded += call.get(60, TimeUnit.SECONDS) ? 1 : 0;
    }
    assertTrue(loaded > 0, "the others met it in the region");
    assertEquals("v", value("a", "f"));
  }

  @Test
  void filesOfTheClusterAndLinksAreOutOfReach() throws IOException {
    String token = prepare();
    Path loaded = file("1", "f", "v", "a");
    assertTrue(load(order("a", token).addFamilyPath(path("f", "" + loaded))));
    Path own;
    try (var found = Files.walk(cluster.rootDir().resolve("data"))) {
      own = found.filter(p -> p.toString().contains("_SeqId_")).findFirst().orElseThrow();
    }
    Path link = Files.createSymbolicLink(directory.resolve("link"), own);
    Path linkedDirectory = Files.createSymbolicLink(directory.resolve("d"), own.getParent());
    for (String path :
        new String[] {
          own.toString(),
          cluster.rootDir() + "/staging/../" + cluster.rootDir().relativize(own),
          linkedDirectory.resolve(own.getFileName()).toString(),
          link.toString(),
          own.getParent().toString(),
        }) {
      for (String with : new String[] {token, null}) {
        refusal(
            DoNotRetryIOException.class,
            order("a", with).setCopyFile(true).addFamilyPath(path("f", path)));
      }
    }
    assertTrue(Files.exists(own));
    // What a client has put into its own directory may be loaded.
    Path staged =
        ColumnFiles.write(
            Path.of(token.substring("file:".length())).resolve("f/2"), "f", "staged", "b");
    refusal(
        DoNotRetryIOException.class, order("b", prepare()).addFamilyPath(path("f", "" + staged)));
    assertTrue(load(order("b", token).addFamilyPath(path("f", "" + staged))));
    assertEquals("staged", value("b", "f"));
  }

  @Test
  void aLoadWithoutATokenWorksOnce() throws IOException {
    Path file = file("1", "f", "v", "a");
    BulkLoadHFileRequest.Builder order =
        order("a", null).setAssignSeqNum(false).addFamilyPath(path("f", "" + file));
    assertTrue(load(order));
    assertEquals("v", value("a", "f"));
    assertTrue(refusal(DoNotRetryIOException.class, order).contains("it is not there"));
  }

  @Test
  void hostileUsersAndPathsStayText() throws IOException {
    try (RawClient other = new RawClient(cluster.server().port(), "", "2.6.1")) {
      String token = prepare();
      byte[] odd = "/tmp/\u0001\n/../f".getBytes(StandardCharsets.UTF_8);
      BulkLoadHFileRequest.Builder order =
          order("a", token).addFamilyPath(path("f", new String(odd, StandardCharsets.UTF_8)));
      RawClient.Reply<BulkLoadHFileResponse> reply =
          other.call(
              "BulkLoadHFile",
              order.build(),
              new byte[0],
              BulkLoadHFileResponse.getDefaultInstance());
      assertEquals(
          DoNotRetryIOException.class.getName(),
          reply.header().getException().getExceptionClassName());
    }
  }
}
