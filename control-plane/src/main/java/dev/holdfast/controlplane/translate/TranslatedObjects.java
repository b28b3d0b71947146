// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.references.FieldPositions;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.stage.Stages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Combines the results of all stages for one object. */
final class TranslatedObjects {
  private static final Comparator<LocatedProblem> DOCUMENT_ORDER =
      Comparator.comparing(LocatedProblem::position)
          .thenComparing(located -> located.problem().path())
          .thenComparing(located -> located.problem().message());

  private TranslatedObjects() {}

  static TranslatedObject of(
      IndexedObject indexed, Stages stages, PersistentMap<ResourceId, String> footprint) {
    ObjectKey key = indexed.object().key();
    List<LocatedProblem> problems = new ArrayList<>();
    List<LocatedProblem> warnings = new ArrayList<>();
    List<Problem> unavailable = new ArrayList<>();
    List<Problem> ignored = new ArrayList<>();
    for (ObjectProblem found : find(key, stages)) {
      Problem problem = found.problem();
      LocatedProblem located =
          new LocatedProblem(problem, FieldPositions.of(indexed.object().body(), problem.path()));
      switch (found.severity()) {
        case ERROR -> problems.add(located);
        case WARNING -> warnings.add(located);
        case GRPC_UNAVAILABLE -> unavailable.add(problem);
        case GRPC_IGNORED -> ignored.add(problem);
      }
    }
    problems.addAll(indexed.foreign() ? List.of() : indexed.decoded().problems());
    warnings.addAll(indexed.tolerated());
    problems.sort(DOCUMENT_ORDER);
    warnings.sort(DOCUMENT_ORDER);
    return new TranslatedObject(
        key,
        indexed.generation(),
        problems,
        warnings,
        new GrpcSupport(isOfferedToGrpc(footprint), unavailable, ignored),
        participation(indexed, stages),
        footprint);
  }

  private static boolean isOfferedToGrpc(PersistentMap<ResourceId, String> footprint) {
    boolean[] offered = {false};
    footprint.forEach((id, digest) -> offered[0] |= ResourceNames.isApiRoutes(id));
    return offered[0];
  }

  private static Set<ObjectProblem> find(ObjectKey key, Stages stages) {
    Set<ObjectProblem> problems = new LinkedHashSet<>(stages.checks().problems(key));
    stages.hosts().problems().get(key).forEach((host, all) -> problems.addAll(all));
    return problems;
  }

  private static TranslatedObject.Participation participation(
      IndexedObject indexed, Stages stages) {
    if (indexed.foreign()) {
      return TranslatedObject.Participation.FOREIGN;
    }
    boolean orphan =
        indexed.typed() instanceof HttpProxy proxy
            && proxy.virtualHost() == null
            && !stages.isPartOfHost(proxy.key());
    return orphan ? TranslatedObject.Participation.ORPHANED : TranslatedObject.Participation.OURS;
  }
}
