// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.mask.SensitiveValues;
import dev.holdfast.controlplane.objects.DecodedObject;
import dev.holdfast.controlplane.objects.ObjectKind;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.ingress.Ingress;
import dev.holdfast.controlplane.objects.read.TypedObject;
import dev.holdfast.controlplane.objects.references.FieldPositions;
import dev.holdfast.controlplane.objects.service.Service;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An object with its decoded form.
 *
 * @param foreign whether it is for another ingress controller, in which case it counts as absent
 * @param tolerated what the operator does not allow any more, and is served because it was before
 */
public record IndexedObject(
    ConfigObject object, DecodedObject decoded, boolean foreign, List<LocatedProblem> tolerated) {
  private static final String SERVED_BEFORE =
      "; it is served because it was before the server had this rule, and edits are not";

  public IndexedObject {
    tolerated = List.copyOf(tolerated);
  }

  /** How an object claims a host. */
  public enum Claim {
    /** As the root of a virtual host. */
    ROOT,
    /** By a rule of an ingress. */
    RULE,
    /** It names the host, but cannot be decoded. */
    UNREADABLE
  }

  /** Decodes an object, and checks it by itself. */
  public static IndexedObject of(ConfigObject object, Settings settings) {
    DecodedObject written = masked(object, ObjectKind.decode(object));
    List<LocatedProblem> denied = denied(object, written, settings);
    boolean tolerated = !denied.isEmpty() && settings.authors().tolerate(object);
    DecodedObject decoded =
        denied.isEmpty() || tolerated ? written : refused(object, written, denied);
    SortedSet<String> classes = settings.ingressClasses();
    // Also of what is not valid: it is another controller's to say so.
    TypedObject typed = decoded.fold(DecodedObject.Valid::object, DecodedObject.Invalid::readable);
    boolean foreign =
        typed instanceof HttpProxy proxy
            ? !IngressClass.matches(classes, proxy.ingressClass())
            : typed instanceof Ingress ingress
                && !IngressClass.matches(classes, ingress.ingressClass());
    return new IndexedObject(
        object, decoded, foreign, tolerated && !foreign ? explained(denied) : List.of());
  }

  /** What the operator does not allow. */
  private static List<LocatedProblem> denied(
      ConfigObject object, DecodedObject decoded, Settings settings) {
    List<LocatedProblem> denied = new ArrayList<>();
    TypedObject typed = decoded.fold(DecodedObject.Valid::object, invalid -> null);
    Problem problem =
        typed instanceof Service service
            ? forbidden(service, settings)
            : typed instanceof HttpProxy proxy ? forbidden(proxy, settings) : null;
    if (problem != null) {
      denied.add(new LocatedProblem(problem, FieldPositions.of(object.body(), problem.path())));
    }
    for (LocatedProblem each : settings.authors().problems(object)) {
      // What cannot be read is not reported once more for what it might be.
      if (decoded.problems().stream().noneMatch(one -> one.position().equals(each.position()))) {
        denied.add(each);
      }
    }
    return denied;
  }

  /** What the operator does not allow is a problem of the object. */
  private static DecodedObject refused(
      ConfigObject object, DecodedObject decoded, List<LocatedProblem> denied) {
    List<LocatedProblem> problems = new ArrayList<>(decoded.problems());
    problems.addAll(denied);
    problems.sort(Comparator.comparing(LocatedProblem::position));
    return new DecodedObject.Invalid(
        object.key(),
        problems,
        decoded.fold(DecodedObject.Valid::object, DecodedObject.Invalid::readable));
  }

  private static List<LocatedProblem> explained(List<LocatedProblem> tolerated) {
    return tolerated.stream()
        .map(
            located ->
                new LocatedProblem(
                    new Problem(
                        located.problem().path(),
                        located.problem().kind(),
                        located.problem().message() + SERVED_BEFORE),
                    located.position()))
        .toList();
  }

  private static @Nullable Problem forbidden(Service service, Settings settings) {
    return settings.externalNames() || service.externalName().isEmpty()
        ? null
        : new Problem(
            "spec.type",
            Problem.Kind.UNSUPPORTED,
            "ExternalName, which the server does not allow (expected: another type, or the option"
                + " --external-name-services)");
  }

  private static @Nullable Problem forbidden(HttpProxy proxy, Settings settings) {
    String namespace = proxy.key().namespace();
    return proxy.virtualHost() == null
            || settings.rootNamespaces().isEmpty()
            || settings.rootNamespaces().contains(namespace)
        ? null
        : new Problem(
            "metadata.namespace",
            Problem.Kind.UNSUPPORTED,
            namespace
                + ", where the server does not allow hosts (expected: one of "
                + String.join(", ", settings.rootNamespaces())
                + ", or no virtualhost)");
  }

  /** Problems quote what is wrong, which may be a secret. */
  private static DecodedObject masked(ConfigObject object, DecodedObject decoded) {
    if (decoded.problems().isEmpty()) {
      return decoded;
    }
    UnaryOperator<String> mask = SensitiveValues.maskOf(object);
    List<LocatedProblem> problems =
        decoded.problems().stream()
            .map(
                located ->
                    new LocatedProblem(
                        new Problem(
                            located.problem().path(),
                            located.problem().kind(),
                            mask.apply(located.problem().message())),
                        located.position()))
            .toList();
    return decoded.fold(
        valid -> new DecodedObject.Valid(valid.object(), problems),
        invalid -> new DecodedObject.Invalid(invalid.key(), problems, invalid.readable()));
  }

  public long generation() {
    return object.generation();
  }

  /** The typed object; null if it is invalid or of another ingress class. */
  public @Nullable TypedObject typed() {
    return foreign ? null : decoded.fold(DecodedObject.Valid::object, invalid -> null);
  }

  /**
   * The object as far as it could be read, only to look for problems; null if nothing could be
   * read, or if it is of another ingress class.
   */
  public @Nullable TypedObject readable() {
    return foreign
        ? null
        : decoded.fold(DecodedObject.Valid::object, DecodedObject.Invalid::readable);
  }

  boolean isValid() {
    return typed() != null;
  }

  /** The hosts that this object claims. */
  SortedMap<String, Claim> claims() {
    SortedMap<String, Claim> claims = new TreeMap<>();
    TypedObject typed = typed();
    if (typed instanceof HttpProxy proxy && proxy.virtualHost() != null) {
      claims.put(proxy.virtualHost().fqdn(), Claim.ROOT);
    } else if (typed instanceof Ingress ingress) {
      ingress.rules().forEach(rule -> claims.put(rule.host(), Claim.RULE));
      if (ingress.defaultBackend() != null) {
        claims.put("*", Claim.RULE);
      }
    } else if (!foreign && object.key().kind().equals(HttpProxy.KIND)) {
      String fqdn = text(object.body(), "spec", "virtualhost", "fqdn");
      if (fqdn != null) {
        claims.put(fqdn, Claim.UNREADABLE);
      }
    }
    return claims;
  }

  private static @Nullable String text(Mapping body, String... path) {
    Value value = body;
    for (String name : path) {
      value = value instanceof Mapping mapping ? mapping.get(name) : null;
    }
    return value instanceof Scalar scalar && scalar.value() instanceof String text ? text : null;
  }
}
