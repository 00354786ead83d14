package org.grampus.perf;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import org.grampus.mapreduce.files.FreshName;
import org.grampus.perf.pe.chance.Chance;
import org.grampus.perf.pe.measure.SystemClock;
import org.grampus.server.env.Env;

/**
 * Only a few classes look at a clock, wait by time or take something by chance: what does so
 * elsewhere cannot be replayed by a test (docs/design/0037). It stands in the last module, which
 * sees the classes of all. Jobs take Hadoop's {@code Time}.
 */
@AnalyzeClasses(
    packages = {
      "org.grampus.engine",
      "org.grampus.server",
      "org.grampus.mapreduce",
      "org.grampus.spark",
      "org.grampus.compat.error",
      "org.grampus.compat.files",
      "org.grampus.compat.filter",
      "org.grampus.compat.mutate",
      "org.grampus.compat.protocol",
      "org.grampus.compat.read",
      "org.grampus.compat.table",
      "org.grampus.perf.pe"
    },
    importOptions = ImportOption.DoNotIncludeTests.class)
class AmbientCallsTest {
  private static final Set<String> FORBIDDEN =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.Thread.sleep",
          "java.lang.Math.random",
          "java.util.Random.<init>",
          "java.util.SplittableRandom.<init>",
          "java.security.SecureRandom.<init>",
          "java.util.UUID.randomUUID",
          "java.util.Collections.shuffle",
          "java.util.concurrent.locks.LockSupport.parkNanos",
          "org.apache.hadoop.hbase.util.EnvironmentEdgeManager.currentTime",
          "java.util.concurrent.ThreadLocalRandom.current",
          "java.util.concurrent.TimeUnit.sleep",
          "java.time.Instant.now",
          "java.time.LocalDate.now",
          "java.time.LocalDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone");

  /** They end searches that take too long; the adapters know no other module's clock. */
  private static final String PATTERN_CLOCKS =
      "org\\.grampus\\.compat\\.filter\\.pattern\\.(JoniWatchdog|SearchTime|WatchedText)";

  private static final DescribedPredicate<JavaAccess<?>> AMBIENT =
      new DescribedPredicate<>("the target asks for time, waits or takes a chance") {
        @Override
        public boolean test(JavaAccess<?> access) {
          return FORBIDDEN.contains(
              access.getTargetOwner().getName() + "." + access.getTarget().getName());
        }
      };

  @ArchTest
  static final ArchRule ONLY_CLOCKS_AND_CHANCE =
      noClasses()
          .that(
              not(belongToAnyOf(Env.class, FreshName.class, SystemClock.class, Chance.class))
                  .and(not(nameMatching(PATTERN_CLOCKS).forSubtype())))
          .should(accessTargetWhere(AMBIENT));
}
