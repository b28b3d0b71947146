// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionService;
import dev.holdfast.controlplane.translate.index.FactReader;
import java.util.ArrayList;
import java.util.List;

/** Checks the references of an ExtensionService. */
public final class ExtensionServiceCheck {
  private ExtensionServiceCheck() {}

  /** All problems; with any of them, the service cannot be asked. */
  public static List<ObjectProblem> check(ExtensionService extension, FactReader reader) {
    String namespace = extension.key().namespace();
    List<ObjectProblem> problems = new ArrayList<>();
    ObjectKey service = References.service(namespace, extension.target().name());
    String problem = References.problem(reader, service, extension.target().port());
    if (problem == null && !reader.ports(service).externalName().isEmpty()) {
      problem = service + " is of type ExternalName (expected: a service with endpoints)";
    }
    if (problem != null) {
      problems.add(ObjectProblem.error("spec.services[0]", problem));
    }
    if (extension.validation() != null) {
      String secretProblem =
          References.problem(
              reader,
              References.secret(extension.validation().caSecret(), namespace),
              namespace,
              References.Use.AUTHORITY);
      if (secretProblem != null) {
        problems.add(ObjectProblem.error("spec.validation.caSecret", secretProblem));
      }
    }
    return List.copyOf(problems);
  }
}
