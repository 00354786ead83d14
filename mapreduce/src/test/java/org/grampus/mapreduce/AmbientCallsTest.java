package org.grampus.mapreduce;

import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** Time is Hadoop's {@code Time}; nothing waits by time or takes something by chance. */
@AnalyzeClasses(
    packages = "org.grampus.mapreduce",
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
          "java.util.concurrent.ThreadLocalRandom.current",
          "java.util.concurrent.TimeUnit.sleep",
          "java.time.Instant.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone");

  private static final DescribedPredicate<JavaAccess<?>> AMBIENT =
      new DescribedPredicate<>("the target asks for time, waits or takes a chance") {
        @Override
        public boolean test(JavaAccess<?> access) {
          return FORBIDDEN.contains(
              access.getTargetOwner().getName() + "." + access.getTarget().getName());
        }
      };

  @ArchTest static final ArchRule NONE = noClasses().should(accessTargetWhere(AMBIENT));
}
