// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.extension.ExtensionService;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.ingress.Ingress;
import dev.holdfast.controlplane.objects.read.TypedObject;
import dev.holdfast.controlplane.translate.check.ExtensionServiceCheck;
import dev.holdfast.controlplane.translate.check.IngressCheck;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.check.PolicyCheck;
import dev.holdfast.controlplane.translate.check.ProxyCheck;
import dev.holdfast.controlplane.translate.index.Derivations;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The stage that checks the references between objects. */
public record CheckStage(Derivations<ObjectKey, List<ObjectProblem>> checks, int work) {
  private static final Set<String> CHECKED =
      Set.of(HttpProxy.KIND, Ingress.KIND, ExtensionPolicy.KIND, ExtensionService.KIND);

  /** The stage without objects. */
  public static final CheckStage EMPTY = new CheckStage(Derivations.empty(), 0);

  /** The errors and warnings of an object. */
  public List<ObjectProblem> problems(ObjectKey key) {
    List<ObjectProblem> problems = checks.get(key);
    return problems == null ? List.of() : problems;
  }

  public CheckStage with(StageInput input, Set<ObjectKey> changed) {
    Set<ObjectKey> keys = new TreeSet<>(checks.derivedFrom(input.changedFacts()));
    changed.stream().filter(key -> CHECKED.contains(key.kind())).forEach(keys::add);
    Derivations<ObjectKey, List<ObjectProblem>> next = checks;
    for (ObjectKey key : keys) {
      next = next.derive(key, input.index(), reader -> check(key, reader));
    }
    input.affected().addAll(keys);
    return new CheckStage(next, keys.size());
  }

  /**
   * Checks an object also if parts of it cannot be decoded, so that its author learns of all
   * problems at once.
   */
  private static @Nullable List<ObjectProblem> check(ObjectKey key, FactReader reader) {
    IndexedObject indexed = reader.indexed(key);
    List<ObjectProblem> problems = indexed == null ? null : check(indexed.readable(), reader);
    return indexed == null || problems == null || indexed.typed() != null
        ? problems
        : UnreadableFields.of(indexed.object().body(), indexed.decoded().problems())
            .without(problems);
  }

  private static @Nullable List<ObjectProblem> check(
      @Nullable TypedObject typed, FactReader reader) {
    if (typed instanceof HttpProxy proxy) {
      return ProxyCheck.check(proxy, reader);
    }
    if (typed instanceof ExtensionPolicy policy) {
      return PolicyCheck.check(policy, reader);
    }
    if (typed instanceof ExtensionService extension) {
      return ExtensionServiceCheck.check(extension, reader);
    }
    return typed instanceof Ingress ingress ? IngressCheck.check(ingress, reader) : null;
  }
}
