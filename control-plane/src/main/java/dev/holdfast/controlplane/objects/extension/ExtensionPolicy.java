// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.extension;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Arbitrary Envoy configuration for a proxy of the same namespace.
 *
 * @param perRoute configuration of filters for the routes of the target; names are unique
 * @param httpFilters additional filters for requests to the target; names are unique
 */
public record ExtensionPolicy(
    ObjectKey key, Target target, List<Extension> perRoute, List<Extension> httpFilters)
    implements TypedObject {
  public static final String API_VERSION = "holdfast.dev/v1alpha1";
  public static final String KIND = "ExtensionPolicy";

  /**
   * The target of a policy.
   *
   * @param route the index of a single route; null for all routes
   */
  public record Target(ObjectKey proxy, @Nullable Integer route) {}

  public static ExtensionPolicy decode(ConfigObject object, DecodingContext context) {
    Spec spec = context.read(object.body(), ExtensionPolicy::body);
    TargetRef ref = spec.targetRef();
    return new ExtensionPolicy(
        object.key(),
        new Target(
            new ObjectKey(ref.kind().word(), object.key().namespace(), ref.name()), ref.route()),
        spec.perRoute(),
        spec.httpFilters());
  }

  /** Decodes the fields next to the metadata. */
  public static Spec body(Fields fields) {
    return fields.requiredGroup("spec", Spec::decode);
  }

  /** The spec as written. */
  public record Spec(TargetRef targetRef, List<Extension> perRoute, List<Extension> httpFilters) {
    static Spec decode(Fields fields) {
      Spec spec =
          new Spec(
              fields.requiredGroup("targetRef", TargetRef::decode),
              fields.groups("perRoute", Extension::decode),
              fields.groups("httpFilters", Extension::decodeFilter));
      boolean empty =
          (!fields.has("perRoute") || fields.isEmptySequence("perRoute"))
              && (!fields.has("httpFilters") || fields.isEmptySequence("httpFilters"));
      if (empty) {
        fields.invalid("a policy with nothing in it (expected: perRoute or httpFilters)");
      }
      checkUnique("perRoute", spec.perRoute(), fields);
      checkUnique("httpFilters", spec.httpFilters(), fields);
      return spec;
    }

    private static void checkUnique(String list, List<Extension> extensions, Fields fields) {
      Set<String> names = new HashSet<>();
      for (int i = 0; i < extensions.size(); i++) {
        String name = extensions.get(i).name();
        if (!name.isEmpty() && !names.add(name)) {
          fields.invalid(list, i, name + " is there before (expected: each name once)");
        }
      }
    }
  }

  /** The target as written. */
  public record TargetRef(TargetKind kind, String name, @Nullable Integer route) {
    static TargetRef decode(Fields fields) {
      TargetKind kind = fields.enumValue("kind", TargetKind.HTTP_PROXY);
      String name = fields.requiredText("name", TextRules.NAME);
      Long route = fields.integer("route", 0, Integer.MAX_VALUE);
      return new TargetRef(kind, name, route == null ? null : route.intValue());
    }
  }

  /** The kinds that a policy can target. */
  public enum TargetKind implements EnumWord {
    HTTP_PROXY;

    @Override
    public String word() {
      return HttpProxy.KIND;
    }
  }
}
