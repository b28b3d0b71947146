// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.references.FieldPositions;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.stage.Stages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Puts together what the stages know of an object. */
final class TranslatedObjects {
  private static final Comparator<LocatedProblem> DOCUMENT_ORDER =
      Comparator.comparing(LocatedProblem::position)
          .thenComparing(located -> located.problem().path())
          .thenComparing(located -> located.problem().message());

  private TranslatedObjects() {}

  static TranslatedObject of(
      IndexedObject input, Stages stages, PersistentMap<ResourceId, String> footprint) {
    ObjectKey key = input.object().key();
    List<LocatedProblem> problems = new ArrayList<>();
    List<LocatedProblem> warnings = new ArrayList<>();
    for (ObjectProblem remark : remarks(key, stages)) {
      (remark.isError() ? problems : warnings)
          .add(
              new LocatedProblem(
                  remark.problem(),
                  FieldPositions.of(input.object().body(), remark.problem().path())));
    }
    problems.sort(DOCUMENT_ORDER);
    warnings.sort(DOCUMENT_ORDER);
    problems.addAll(0, input.foreign() ? List.of() : input.decoded().problems());
    return new TranslatedObject(
        key, input.generation(), problems, warnings, standing(input, stages), footprint);
  }

  private static Set<ObjectProblem> remarks(ObjectKey key, Stages stages) {
    Set<ObjectProblem> remarks = new LinkedHashSet<>(stages.checks().remarks(key));
    stages.hosts().remarks().get(key).forEach((host, all) -> remarks.addAll(all));
    return remarks;
  }

  private static TranslatedObject.Standing standing(IndexedObject input, Stages stages) {
    if (input.foreign()) {
      return TranslatedObject.Standing.FOREIGN;
    }
    boolean orphan =
        input.typed() instanceof HttpProxy proxy
            && proxy.virtualHost() == null
            && !stages.isVisited(proxy.key());
    return orphan ? TranslatedObject.Standing.ORPHANED : TranslatedObject.Standing.OURS;
  }
}
