// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The packages of the control plane are small, and none depends on itself through another. */
class ControlPlanePackagesTest {
  private static final int MOST_TYPES = 32;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.holdfast.controlplane");

  @Test
  void rolloutHasNoPackageCycles() {
    slices().matching("dev.holdfast.controlplane.rollout.(*)").should().beFreeOfCycles()
        .check(CLASSES);
  }

  @Test
  void adsHasNoPackageCycles() {
    slices().matching("dev.holdfast.controlplane.ads.(*)").should().beFreeOfCycles()
        .check(CLASSES);
  }

  @Test
  void noPackageHasMoreTypesThanOneCanOverlook() {
    Map<String, Integer> sizes = new TreeMap<>();
    for (JavaClass type : CLASSES) {
      if (type.isTopLevelClass() && !type.getSimpleName().equals("package-info")) {
        sizes.merge(type.getPackageName(), 1, Integer::sum);
      }
    }
    assertThat(sizes).allSatisfy((name, size) -> assertThat(size).isLessThanOrEqualTo(MOST_TYPES));
  }
}
