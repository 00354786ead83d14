package org.grampus.server;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.List;
import java.util.Map;

/** Which package of the server may use which (docs/design/0034-java-packages.md). */
@AnalyzeClasses(
    packages = "org.grampus.server",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
  /** Each package with those that it may use; the daemon, which puts the server together, all. */
  private static final Map<String, List<String>> MAY_USE =
      Map.ofEntries(
          entry("env", List.of()),
          entry("memory", List.of()),
          entry("master", List.of("env")),
          entry("hadoop", List.of("env")),
          entry("operator", List.of("env")),
          entry("region", List.of("env")),
          entry("rpc", List.of("env", "memory")),
          entry("netty", List.of("env", "memory", "rpc")),
          entry("service", List.of("env", "memory", "region", "rpc")),
          entry("cluster", List.of("env", "region", "rpc", "service")),
          entry("assignment", List.of("cluster", "env", "region")),
          entry("slowlog", List.of("env", "rpc")),
          entry("trace", List.of("env", "rpc")),
          entry("info", List.of("env", "memory", "metrics", "region", "slowlog")),
          entry("admin", List.of("assignment", "env", "region", "slowlog")),
          entry("procedure", List.of("region")),
          entry("metrics", List.of("env", "memory", "netty", "region", "rpc", "service")));

  @ArchTest
  static final ArchRule NO_CIRCLES =
      slices().matching("org.grampus.server.(**)").should().beFreeOfCycles();

  @ArchTest static final ArchRule DIRECTIONS = directions();

  private static ArchRule directions() {
    LayeredArchitecture law =
        layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("daemon")
            .definedBy("org.grampus.server.daemon");
    for (String name : MAY_USE.keySet()) {
      law = law.layer(name).definedBy("org.grampus.server." + name);
    }
    for (Map.Entry<String, List<String>> entry : MAY_USE.entrySet()) {
      String[] below = entry.getValue().toArray(String[]::new);
      law =
          below.length == 0
              ? law.whereLayer(entry.getKey()).mayNotAccessAnyLayer()
              : law.whereLayer(entry.getKey()).mayOnlyAccessLayers(below);
    }
    return law.ensureAllClassesAreContainedInArchitecture();
  }
}
