// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.authors;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.ingress.Ingress;
import dev.holdfast.envoy.api.Reach;
import dev.holdfast.envoy.api.ReachFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what an object must not contain by the rules for authors. It reads what the author wrote,
 * so that it finds the same in an object that is not valid.
 */
public final class AuthorCheck {
  private static final Set<String> HEADER_POLICIES =
      Set.of("requestHeadersPolicy", "responseHeadersPolicy");
  private static final int DEEPEST = 100;

  private final AuthorPolicy policy;
  private final ConfigObject object;
  private final List<LocatedProblem> problems = new ArrayList<>();

  private AuthorCheck(AuthorPolicy policy, ConfigObject object) {
    this.policy = policy;
    this.object = object;
  }

  /** Everything that is not allowed, in the order of the document. */
  public static List<LocatedProblem> check(AuthorPolicy policy, ConfigObject object) {
    AuthorCheck check = new AuthorCheck(policy, object);
    switch (object.key().kind()) {
      case HttpProxy.KIND -> check.httpProxy();
      case Ingress.KIND -> check.ingress();
      case ExtensionPolicy.KIND -> check.extensionPolicy();
      default -> {
        // holds nothing of what the rules are about
      }
    }
    return check.problems;
  }

  private void httpProxy() {
    Value spec = object.body().get("spec");
    Value host = child(child(spec, "virtualhost"), "fqdn");
    host(text(host), "spec.virtualhost.fqdn", host);
    if (spec != null && !policy.headers().denied().isEmpty()) {
      headers(spec, "spec", 0);
    }
  }

  private void ingress() {
    Value spec = object.body().get("spec");
    if (child(spec, "rules") instanceof Sequence rules) {
      for (int i = 0; i < rules.elements().size(); i++) {
        Value rule = rules.elements().get(i);
        Value host = child(rule, "host");
        host(
            host == null ? "*" : text(host),
            "spec.rules[" + i + "].host",
            host == null ? rule : host);
      }
    }
    Value backend = child(spec, "defaultBackend");
    if (backend != null) {
      host("*", "spec.defaultBackend", backend);
    }
  }

  private void host(@Nullable String host, String path, @Nullable Value at) {
    if (host != null && at != null) {
      add(path, HostRule.problem(policy.hosts(), host, object.key().namespace()), at.position());
    }
  }

  private void headers(Value value, String path, int depth) {
    if (depth > DEEPEST) {
      return; // the decoder refuses it
    }
    if (value instanceof Sequence sequence) {
      for (int i = 0; i < sequence.elements().size(); i++) {
        headers(sequence.elements().get(i), path + "[" + i + "]", depth + 1);
      }
    } else if (value instanceof Mapping mapping) {
      mapping
          .fields()
          .forEach(
              (name, field) -> {
                String inner = path + "." + name;
                if (HEADER_POLICIES.contains(name)) {
                  names(child(field, "set"), inner + ".set");
                  names(child(field, "remove"), inner + ".remove");
                } else if (name.equals("responseHeadersToAdd")) {
                  names(field, inner);
                } else {
                  headers(field, inner, depth + 1);
                }
              });
    }
  }

  /** Names of headers: texts, or fields {@code name}. */
  private void names(@Nullable Value list, String path) {
    if (!(list instanceof Sequence sequence)) {
      return;
    }
    for (int i = 0; i < sequence.elements().size(); i++) {
      Value element = sequence.elements().get(i);
      Value name = element instanceof Mapping ? child(element, "name") : element;
      String text = text(name);
      if (name != null && text != null) {
        String at = path + "[" + i + "]" + (name == element ? "" : ".name");
        add(at, policy.headers().problem(text), name.position());
      }
    }
  }

  private void extensionPolicy() {
    add(
        "metadata.namespace",
        policy.extensions().namespaceProblem(object.key().namespace()),
        object.body().position());
    Value spec = object.body().get("spec");
    for (String list : List.of("perRoute", "httpFilters")) {
      if (child(spec, list) instanceof Sequence entries) {
        for (int i = 0; i < entries.elements().size(); i++) {
          Value config = child(entries.elements().get(i), "typedConfig");
          if (config != null) {
            config(config, "spec." + list + "[" + i + "].typedConfig");
          }
        }
      }
    }
  }

  private void config(Value config, String path) {
    for (Reach found : ReachFinder.find(config)) {
      String problem =
          found.kind() == Reach.Kind.HEADER
              ? policy.headers().problemInEnvoy(found.what())
              : policy.extensions().problem(found);
      add(found.path().isEmpty() ? path : path + "." + found.path(), problem, found.position());
    }
  }

  private void add(String path, @Nullable String problem, Position position) {
    if (problem != null) {
      problems.add(
          new LocatedProblem(new Problem(path, Problem.Kind.UNSUPPORTED, problem), position));
    }
  }

  private static @Nullable Value child(@Nullable Value value, String name) {
    return value instanceof Mapping mapping ? mapping.get(name) : null;
  }

  private static @Nullable String text(@Nullable Value value) {
    return value instanceof Scalar scalar && scalar.value() instanceof String text ? text : null;
  }
}
