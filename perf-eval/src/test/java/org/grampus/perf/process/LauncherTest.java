package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which Java {@code bin/grampus} of a release runs, with which class path and archive of classes.
 */
final class LauncherTest {
  private static final long SECONDS_MAX = 60;
  private static final String SHARE_CLASSES = "lib/share-classes.sh";
  private static final List<String> COMMANDS =
      List.of("standalone", "regionserver", "version", "download", "pe");

  private static final Pattern NOT_INLINED =
      Pattern.compile("-XX:CompileCommand=dontinline,([\\w.]+)::(\\w+)");

  /** Says that it is Java 17, and prints its arguments instead of running them. */
  private static final String JAVA =
      """
      #!/bin/sh
      if [ "$1" = -version ]; then echo 'openjdk version "17.0.1"' >&2; else echo "$0 $*"; fi
      """;

  @TempDir private Path directory;
  private Path release;
  private Path here;
  private Path jdk;
  private final Map<String, String> environment = new HashMap<>();

  private record Outcome(int exit, String text) {}

  @BeforeEach
  void layOut() throws IOException {
    directory = directory.toRealPath();
    Path sources = Path.of("").toAbsolutePath();
    while (!Files.exists(sources.resolve("bin/grampus"))) {
      sources = sources.getParent();
    }
    release = directory.resolve("release");
    here = Files.createDirectories(directory.resolve("here"));
    jdk = directory.resolve("jdk");
    Files.createDirectories(release.resolve("bin/lib"));
    Files.createDirectories(release.resolve("conf"));
    for (String name :
        List.of("grampus", "lib/environment.sh", "lib/server.sh", "lib/shell.sh", SHARE_CLASSES)) {
      Files.copy(sources.resolve("bin/" + name), release.resolve("bin/" + name));
    }
    Files.setPosixFilePermissions(
        release.resolve("bin/" + SHARE_CLASSES), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(release.resolve("lib"));
    writeJava(here);
    writeJava(jdk);
    environment.put("JAVA_HOME", jdk.toString());
  }

  private static void writeJava(Path home) throws IOException {
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, JAVA);
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Outcome run(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("bash", release.resolve("bin/grampus").toString())
            .directory(here.toFile())
            .redirectErrorStream(true);
    builder.command().addAll(List.of(arguments));
    for (String name :
        List.of(
            "JAVA_HOME",
            "GRAMPUS_HOME",
            "GRAMPUS_CONF_DIR",
            "HADOOP_CONF_DIR",
            "GRAMPUS_SHARED_CLASSES")) {
      builder.environment().remove(name);
    }
    builder.environment().putAll(environment);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS));
    return new Outcome(process.exitValue(), text);
  }

  /** The commands that the launcher itself needs, and no Java. */
  private String pathWithoutJava() throws IOException {
    Path commands = Files.createDirectories(directory.resolve("commands"));
    for (String name : List.of("bash", "dirname", "readlink", "mkdir", "head", "cat")) {
      Path found =
          List.of("/usr/bin", "/bin").stream()
              .map(each -> Path.of(each, name))
              .filter(Files::exists)
              .findFirst()
              .orElseThrow();
      Files.createSymbolicLink(commands.resolve(name), found);
    }
    return commands.toString();
  }

  private void assertNotOfHere(Outcome outcome) {
    assertFalse(outcome.text.contains(here.resolve("bin/java").toString()), outcome.text);
    assertFalse(outcome.text.contains("./bin/java"), outcome.text);
  }

  @Test
  void theJavaOfJavaHomeIsRun() throws Exception {
    Outcome outcome = run("version");

    assertEquals(0, outcome.exit, outcome.text);
    assertTrue(outcome.text.startsWith(jdk.resolve("bin/java") + " "), outcome.text);
  }

  @Test
  void withoutAnyJavaThatOfTheDirectoryIsNotRun() throws Exception {
    environment.put("JAVA_HOME", "");
    environment.put("PATH", pathWithoutJava());

    assertNotOfHere(run("version"));
  }

  @Test
  void anEmptyEntryOfThePathIsNoPlaceOfJava() throws Exception {
    environment.remove("JAVA_HOME");
    environment.put("PATH", pathWithoutJava() + "::bin:" + jdk.resolve("bin"));
    Files.copy(here.resolve("bin/java"), here.resolve("java"));
    Outcome outcome = run("version");

    assertNotOfHere(outcome);
    assertTrue(outcome.text.startsWith(jdk.resolve("bin/java") + " "), outcome.text);
  }

  @Test
  void aRelativeJavaHomeIsAnError() throws Exception {
    environment.put("JAVA_HOME", ".");
    Outcome outcome = run("version");

    assertEquals(1, outcome.exit, outcome.text);
    assertTrue(outcome.text.contains("JAVA_HOME is ., which is no absolute path"), outcome.text);
  }

  @Test
  void theSiteFilesOfHadoopStandBehindOurs() throws Exception {
    environment.put("HADOOP_CONF_DIR", "/etc/hadoop");
    environment.put("GRAMPUS_CONF_DIR", "/etc/grampus");
    String both = "/etc/grampus:/etc/hadoop";

    for (String command : List.of("regionserver", "version")) {
      Outcome outcome = run(command);
      assertTrue(
          outcome.text.contains(classPathOfJars() + ":" + both + " "),
          command + ": " + outcome.text);
    }
    Outcome shell = run("shell");
    assertTrue(shell.text.contains("-cp " + both + ":"), shell.text);
    environment.remove("HADOOP_CONF_DIR");
    Outcome outcome = run("regionserver");
    assertTrue(outcome.text.contains(":/etc/grampus "), outcome.text);
  }

  @Test
  void whatTheCompilerDoesNotInlineExists() throws Exception {
    Outcome outcome = run("standalone");
    Matcher methods = NOT_INLINED.matcher(outcome.text);
    int found = 0;
    while (methods.find()) {
      Class<?> owner = Class.forName(methods.group(1), false, getClass().getClassLoader());
      assertTrue(
          Arrays.stream(owner.getDeclaredMethods())
              .anyMatch(each -> each.getName().equals(methods.group(2))),
          methods.group());
      found++;
    }
    assertTrue(found > 0, outcome.text);
    assertEquals(outcome.text.split("dontinline", -1).length - 1, found, outcome.text);
  }

  /**
   * Netty's buffers come from {@code Unsafe}, whose limit fails at once. Those of the JDK make the
   * event loop sleep while the garbage is collected.
   */
  @Test
  void buffersOfAServerHaveALimitOfNetty() throws Exception {
    for (String command : List.of("standalone", "regionserver")) {
      String options = run(command).text;
      assertTrue(options.contains(" -XX:MaxDirectMemorySize=1g "), options);
      assertTrue(options.contains(" -Dio.netty.tryReflectionSetAccessible=true "), options);
      assertTrue(options.contains(" --add-opens java.base/java.nio=ALL-UNNAMED "), options);
    }
  }

  /** The option and the jars, which come first. */
  private String classPathOfJars() {
    return "-cp " + release + "/lib/*";
  }

  @Test
  void anArchiveThatIsNotThereIsNotNamed() throws Exception {
    for (String command : COMMANDS) {
      assertFalse(run(command).text.contains("SharedArchiveFile"), command);
    }
  }

  @Test
  void anArchiveThatIsThereIsNamed() throws Exception {
    Path archive = Files.writeString(release.resolve("lib/classes.jsa"), "classes");

    for (String command : COMMANDS) {
      Outcome outcome = run(command);
      assertTrue(outcome.text.contains(" -XX:SharedArchiveFile=" + archive + " "), outcome.text);
    }
    environment.put("GRAMPUS_SHARED_CLASSES", "no");
    for (String command : COMMANDS) {
      assertFalse(run(command).text.contains("SharedArchiveFile"), command);
    }
  }

  /** Of two options of the JVM the later one counts. */
  @Test
  void theUsersOptionsStandBehindThoseOfTheArchive() throws Exception {
    Files.writeString(release.resolve("lib/classes.jsa"), "classes");
    environment.put("GRAMPUS_OPTS", "-Dof=user");
    environment.put("GRAMPUS_CLIENT_OPTS", "-Dof=user");

    for (String command : COMMANDS) {
      Outcome outcome = run(command);
      assertTrue(outcome.text.matches("(?s).* -Xlog:cds=off .* -Dof=user .*"), outcome.text);
    }
  }

  @Test
  void theJarsStandBeforeSiteFiles() throws Exception {
    environment.put("GRAMPUS_CONF_DIR", "/etc/grampus");

    for (String command : COMMANDS) {
      Outcome outcome = run(command);
      assertTrue(outcome.text.contains(classPathOfJars() + ":/etc/grampus"), outcome.text);
    }
  }

  @Test
  void classesOfADirectoryThatTheJvmEscapesAreNotShared() throws Exception {
    for (String name : List.of("a release", "a=release", "a#release")) {
      release = Files.move(release, directory.resolve(name));
      Outcome outcome = run("share-classes");

      assertEquals(1, outcome.exit, outcome.text);
      assertTrue(outcome.text.contains("shares no classes of jars in " + release), outcome.text);
    }
  }
}
