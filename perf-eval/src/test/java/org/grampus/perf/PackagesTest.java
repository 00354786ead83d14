package org.grampus.perf;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which package of the tools may use which. Those of PerformanceEvaluation have a test of theirs.
 */
@AnalyzeClasses(packages = "org.grampus.perf", importOptions = ImportOption.DoNotIncludeTests.class)
class PackagesTest {
  private static final String TOOLS = "org.grampus.perf.";

  /** Each package, and those of the tools that it may use beside itself. */
  private static final Map<String, List<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("process", List.of()),
          Map.entry("client", List.of("pe", "process")),
          Map.entry("scan", List.of()),
          Map.entry("stock", List.of()),
          Map.entry("ycsb", List.of("client")),
          Map.entry("echo", List.of("client")),
          Map.entry("result", List.of("process")),
          Map.entry("pe", List.of("result")),
          Map.entry("hadoop", List.of("process")),
          Map.entry("jobs", List.of("hadoop", "process")),
          Map.entry("cluster", List.of("hadoop", "process")),
          Map.entry("stream", List.of("hadoop", "process")),
          Map.entry("trouble", List.of("cluster", "hadoop", "process")),
          Map.entry("fleet", List.of("cluster", "hadoop", "process")),
          Map.entry("judges", List.of("cluster", "hadoop", "process")),
          Map.entry("migration", List.of("process")),
          Map.entry("compare", List.of("client", "echo", "process", "result", "scan", "ycsb")),
          Map.entry(
              "command",
              List.of(
                  "cluster",
                  "compare",
                  "fleet",
                  "hadoop",
                  "jobs",
                  "judges",
                  "migration",
                  "process",
                  "result",
                  "scan",
                  "stock",
                  "stream",
                  "trouble")));

  @ArchTest
  static final ArchRule NO_CIRCLES =
      slices().matching("org.grampus.perf.(*)..").should().beFreeOfCycles();

  @ArchTest
  static void aPackageUsesThoseOfTheTableAlone(JavaClasses classes) {
    MAY_USE.forEach((user, used) -> only(user, used).check(classes));
  }

  @ArchTest
  static void theTableNamesAllPackages(JavaClasses classes) {
    Set<String> found =
        classes.stream()
            .map(type -> type.getPackageName() + ".")
            .filter(name -> name.startsWith(TOOLS) && name.length() > TOOLS.length())
            .map(name -> name.substring(TOOLS.length()).replaceFirst("\\..*", ""))
            .collect(Collectors.toSet());
    assertEquals(MAY_USE.keySet(), found);
  }

  private static ArchRule only(String user, List<String> used) {
    return noClasses()
        .that()
        .resideInAPackage(within(user))
        .should()
        .dependOnClassesThat(
            resideInAPackage(TOOLS + "*..")
                .and(not(resideInAPackage(within(user))))
                .and(
                    not(
                        resideInAnyPackage(
                            used.stream().map(PackagesTest::within).toArray(String[]::new)))));
  }

  private static String within(String name) {
    return TOOLS + name + "..";
  }
}
