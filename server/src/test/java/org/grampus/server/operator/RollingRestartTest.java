package org.grampus.server.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left behind of a restart that does not come to its end. */
class RollingRestartTest {
  private static final ServerName SERVER = ServerName.valueOf("rs1", 16020, 1);
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

  private static final String DRAINED = "decommissionRegionServers";
  private static final String UNDRAINED = "recommissionRegionServer";
  private static final String LISTED = "listDecommissionedRegionServers";
  private static final String BALANCED = "balancerSwitch";

  private static final long WAIT_SECONDS = 10;

  @TempDir private Path directory;
  private final List<RegionInfo> regions = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private final RollingRestart restart =
      new RollingRestart(noCluster(), null, null, Duration.ZERO, said::add);

  private static Configuration noCluster() {
    Configuration conf = new Configuration(false);
    conf.set("hbase.client.connection.impl", "none");
    return conf;
  }

  /** A master that some requests fail at. */
  private Admin admin(Exception failure, String... failing) {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              asked.add(method.getName());
              if (List.of(failing).contains(method.getName())) {
                throw failure;
              }
              if (method.getName().equals(LISTED)) {
                return List.of();
              }
              return method.getReturnType() == boolean.class ? Boolean.TRUE : null;
            });
  }

  @Test
  void aServerGetsRegionsAgainWhateverEndsItsRestart() {
    Admin defect = admin(new IllegalStateException("a defect"), "getRegions");
    assertThrows(IllegalStateException.class, () -> restart.restart(defect, SERVER));
    assertEquals(List.of(LISTED, DRAINED, "getRegions", UNDRAINED), asked);
    asked.clear();
    restart.restore(admin(null), true);
    assertEquals(List.of(BALANCED), asked, "once is enough");
    assertEquals(List.of(), said);
  }

  /** The first request may have reached the master although its answer has not come. */
  @Test
  void aDecommissionThatFailsIsTakenBack() {
    Admin gone = admin(new IOException("no answer"), DRAINED);
    assertThrows(IOException.class, () -> restart.restart(gone, SERVER));
    assertEquals(List.of(LISTED, DRAINED, UNDRAINED), asked);
  }

  @Test
  void theEndOfTheProcessTriesAgainAndSaysWhatToType() {
    Admin gone = admin(new IOException("no master"), "getRegions", UNDRAINED, BALANCED);
    assertThrows(IOException.class, () -> restart.restart(gone, SERVER));
    said.clear();
    restart.restore(gone, true);
    assertEquals(2, said.size(), said.toString());
    assertTrue(said.get(0).contains("recommission_regionserver '" + SERVER + "'"), said.get(0));
    assertTrue(said.get(1).contains("balance_switch true"), said.get(1));
    asked.clear();
    restart.restore(admin(null), true);
    assertEquals(List.of(UNDRAINED, BALANCED), asked);
  }

  @Test
  void noServerIsDrainedOnceTheProcessEnds() {
    restart.restore(true);
    Admin admin = admin(null);
    assertThrows(IOException.class, () -> restart.restart(admin, SERVER));
    assertEquals(List.of(), asked);
  }

  /** A master with a cluster of one server, which an operator may have drained. */
  private Admin drainedBefore(List<ServerName> drained, ServerName live) {
    Admin others = admin(null);
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getRegionServers" -> List.of(live);
                  case LISTED -> List.copyOf(drained);
                  case "getRegions" -> List.copyOf(regions);
                  case "getClusterMetrics" -> ClusterMetricsBuilder.newBuilder().build();
                  case DRAINED -> drained.addAll(servers(arguments[0])) ? null : null;
                  case UNDRAINED -> drained.remove(arguments[0]) ? null : null;
                  default -> method.invoke(others, arguments);
                });
  }

  private static List<ServerName> servers(Object argument) {
    return ((List<?>) argument).stream().map(ServerName.class::cast).toList();
  }

  @Test
  void aServerThatWasDrainedBeforeStaysSo() throws Exception {
    ServerName next = ServerName.valueOf("rs1", 16020, 2);
    List<ServerName> drained = new ArrayList<>(List.of(SERVER));
    RollingRestart restarts = restarts(() -> {});
    restarts.keepDrained(drained);
    restarts.restart(drainedBefore(drained, next), SERVER);

    assertEquals(List.of(next), drained);
    assertTrue(Files.exists(restartedMark()));
    assertEquals(List.of(), asked, "no region is moved");
  }

  private Path restartedMark() {
    return directory.resolve("restarted");
  }

  /** Restarts that leave a mark, and move the regions of the one server away. */
  private RollingRestart restarts(Runnable whileMoving) {
    RegionMoves moves =
        new RegionMoves() {
          @Override
          public boolean away(ServerName server, Path moved) {
            asked.add("away" + (Files.exists(restartedMark()) ? " late" : ""));
            whileMoving.run();
            regions.clear();
            return true;
          }

          @Override
          public boolean back(ServerName server, Path moved) {
            asked.add("back");
            return true;
          }
        };
    RestartCommand command = new RestartCommand(List.of("touch", restartedMark().toString()));
    return new RollingRestart(noCluster(), moves, command, Duration.ZERO, said::add);
  }

  /**
   * To drain a server is to give it no more regions; those that it has stay or are on their way.
   */
  @Test
  void theRegionsOfAServerThatWasDrainedBeforeGoFirstAndDoNotComeBack() throws Exception {
    ServerName next = ServerName.valueOf("rs1", 16020, 2);
    List<ServerName> drained = new ArrayList<>(List.of(SERVER));
    RollingRestart restarts = restarts(() -> {});
    regions.add(REGION);
    restarts.keepDrained(drained);
    restarts.restart(drainedBefore(drained, next), SERVER);

    assertEquals(List.of("away"), asked);
    assertTrue(Files.exists(restartedMark()));
    assertEquals(List.of(next), drained);
  }

  @Test
  void noServerThatWasDrainedBeforeIsRestartedOnceTheProcessEnds() {
    List<ServerName> drained = new ArrayList<>(List.of(SERVER));
    AtomicReference<RollingRestart> ending = new AtomicReference<>();
    RollingRestart restarts = restarts(() -> ending.get().restore(true));
    ending.set(restarts);
    regions.add(REGION);
    restarts.keepDrained(drained);
    Admin admin = drainedBefore(drained, SERVER);
    IOException e = assertThrows(IOException.class, () -> restarts.restart(admin, SERVER));

    assertEquals("this process ends; " + SERVER + " is left alone", e.getMessage());
    assertFalse(Files.exists(restartedMark()));
  }

  @Test
  void noServerIsRestartedOnceTheProcessEnds() {
    AtomicReference<RollingRestart> ending = new AtomicReference<>();
    RollingRestart restarts = restarts(() -> ending.get().restore(true));
    ending.set(restarts);
    Admin admin = drainedBefore(new ArrayList<>(), SERVER);
    IOException e = assertThrows(IOException.class, () -> restarts.restart(admin, SERVER));

    assertEquals("this process ends; " + SERVER + " is left alone", e.getMessage());
    assertFalse(Files.exists(restartedMark()));
  }

  /** Also where this process ends before the restarted one has come back. */
  @Test
  void theEndOfTheProcessDrainsWhatWasDrainedBefore() {
    ServerName next = ServerName.valueOf("rs1", 16020, 2);
    List<ServerName> drained = new ArrayList<>(List.of(SERVER));
    restart.keepDrained(drained);
    assertTrue(restart.restore(drainedBefore(drained, next), true));

    assertEquals(List.of(SERVER, next), drained);
    said.clear();
    Admin gone = admin(new IOException("no master"), LISTED);
    assertFalse(restart.restore(gone, true));
    assertTrue(said.get(0).contains("decommission_regionservers ['rs1,16020']"), said.get(0));
  }

  @Test
  void aServerThatIsRecommissionedMeanwhileStaysSo() throws Exception {
    List<ServerName> drained = new ArrayList<>();
    Admin admin = drainedBefore(drained, SERVER);
    RollingRestart restarts = restarts(() -> {});
    restarts.keepDrained(List.of(SERVER));
    assertTrue(restarts.restore(admin, true));
    assertEquals(List.of(), drained, "the same process");

    ServerName next = ServerName.valueOf("rs1", 16020, 2);
    Admin restarted = drainedBefore(drained, next);
    restarts.restart(restarted, SERVER);
    assertTrue(restarts.restore(restarted, true));
    assertEquals(List.of(), drained, "it was restarted as any other");
  }

  /** The drained process is not the one that was drained at first by then. */
  @Test
  void aServerThatIsRecommissionedAfterItsRestartStaysSo() throws Exception {
    ServerName next = ServerName.valueOf("rs1", 16020, 2);
    List<ServerName> drained = new ArrayList<>(List.of(SERVER));
    Admin admin = drainedBefore(drained, next);
    RollingRestart restarts = restarts(() -> {});
    restarts.keepDrained(drained);
    restarts.restart(admin, SERVER);
    assertEquals(List.of(next), drained);

    drained.clear();
    assertTrue(restarts.restore(admin, true));
    assertEquals(List.of(), drained);
  }

  @Test
  void aServerThatIsDrainedMeanwhileStaysSo() throws Exception {
    ServerName next = ServerName.valueOf("rs1", 16020, 2);
    List<ServerName> drained = new ArrayList<>(List.of(SERVER));
    restarts(() -> {}).restart(drainedBefore(drained, next), SERVER);
    assertEquals(List.of(next), drained);
  }

  @Test
  void aBalancerThatStaysOffIsAFailure() throws Exception {
    Admin gone = admin(new IOException("no master"), BALANCED);
    assertThrows(IOException.class, () -> restart.restartAll(gone, List.of(), true));
    assertTrue(said.get(0).contains("balance_switch true"), said.toString());
    restart.restartAll(admin(null), List.of(), true);
    asked.clear();
    restart.restore(true);
    assertEquals(1, said.size(), "nothing is left to do");
  }

  /** An operator who waits in vain for the rest has seen it. */
  @Test
  void theEndOfTheProcessBeginsWithWhatToType() {
    Admin gone = admin(new IOException("no master"), "getRegions", UNDRAINED);
    assertThrows(IOException.class, () -> restart.restart(gone, SERVER));
    said.clear();
    restart.restore(false); // there is no cluster to connect to
    assertTrue(
        said.get(0).endsWith(": recommission_regionserver '" + SERVER + "'; balance_switch false"),
        said.get(0));
    assertEquals(3, said.size(), said.toString());
  }

  /** Another one that begins before would take a balancer that is off for what was before. */
  @Test
  void anotherRestartMayBeginOnceThisOneHasRestoredWhatItCan() {
    Admin gone = admin(new IOException("no master"), BALANCED);
    assertThrows(IOException.class, () -> restart.restartAll(gone, List.of(), true));
    said.clear();
    restart.atExit(() -> said.add("unlocked"));
    assertEquals(3, said.size(), said.toString());
    assertTrue(said.get(0).contains("balance_switch true"), said.get(0));
    assertTrue(said.get(1).contains("balance_switch true"), said.get(1));
    assertEquals("unlocked", said.get(2));
  }

  @Test
  void aRestartThatHasChangedNothingOnlyUnlocks() {
    restart.atExit(() -> said.add("unlocked"));
    assertEquals(List.of("unlocked"), said);
  }

  @Test
  void theEndOfTheProcessWaitsForNoRequestThatHangs() throws Exception {
    CountDownLatch asking = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    Admin hanging =
        (Admin)
            Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals(LISTED)) {
                    return List.of();
                  }
                  asking.countDown();
                  answer.await();
                  throw new IOException("no master");
                });
    Thread restarts =
        new Thread(() -> assertThrows(IOException.class, () -> restart.restart(hanging, SERVER)));
    restarts.start();
    try {
      asking.await();
      CompletableFuture.runAsync(() -> restart.restore(admin(null), true))
          .get(WAIT_SECONDS, TimeUnit.SECONDS);
      assertEquals(List.of(UNDRAINED, BALANCED), asked);
    } finally {
      answer.countDown();
      restarts.join();
    }
  }
}
